/** The outcome of each row as CSV (RFC 4180) for spreadsheets. */

/** Characters per piece. A report may have a million rows. */
const PIECE_LENGTH = 65_536;

export class ReportText {
  readonly #pieces: string[] = [];
  #last = 'row,outcome,message\r\n';

  add(line: number, outcome: string, message: string): void {
    this.#last += `${line},${cell(outcome)},${cell(message)}\r\n`;
    if (this.#last.length < PIECE_LENGTH) return;
    this.#pieces.push(this.#last);
    this.#last = '';
  }

  /** The copy and the original grow independently. */
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

/** Prefixes an apostrophe to text that a spreadsheet would read as a formula. */
function cell(text: string): string {
  return `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`;
}
