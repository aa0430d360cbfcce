/** What became of each row, as a CSV file (RFC 4180) for a spreadsheet. */

/** Characters that are gathered before they become a piece: a file may have a million rows. */
const PIECE = 65_536;

export class ReportText {
  readonly #pieces: string[] = [];
  #last = 'row,outcome,message\r\n';

  add(line: number, outcome: string, message: string): void {
    this.#last += `${line},${cell(outcome)},${cell(message)}\r\n`;
    if (this.#last.length < PIECE) return;
    this.#pieces.push(this.#last);
    this.#last = '';
  }

  /** More may be added to the text that is returned, and to this one. */
  copy(): ReportText {
    const copy = new ReportText();
    copy.#pieces.push(...this.#pieces);
    copy.#last = this.#last;
    return copy;
  }

  get pieces(): readonly string[] {
    return [...this.#pieces, this.#last];
  }
}

/** What a spreadsheet would take for a formula begins with an apostrophe. */
function cell(text: string): string {
  return `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`;
}
