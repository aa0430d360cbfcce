/**
 * `map-locations completion`: prints a shell script that completes commands and options. The script calls the program for each
 * completion (`map-locations complete -- WORDS`), so it cannot go stale.
 */

import type { Command, Help, Option } from 'commander';
import { Argument } from 'commander';

const COMPLETE = 'complete';

const SCRIPTS = {
  bash: `_map_locations() {
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  mapfile -t COMPREPLY < <(map-locations ${COMPLETE} -- "\${words[@]}" 2>/dev/null)
}
complete -o default -F _map_locations map-locations`,
  zsh: `_map_locations() {
  local -a found
  found=("\${(@f)$(map-locations ${COMPLETE} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -- $found; else _files; fi
}
compdef _map_locations map-locations`,
  fish: `function __map_locations
  set -l words (commandline -opc) (commandline -ct)
  map-locations ${COMPLETE} -- $words[2..-1] 2>/dev/null
end
complete -c map-locations -a '(__map_locations)'`,
} as const;

type Shell = keyof typeof SCRIPTS;

export function addCompletionCommands(program: Command): void {
  program
    .command('completion')
    .description('Print a script that completes commands and options in a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .addHelpText(
      'after',
      `
bash    eval "$(map-locations completion bash)" in ~/.bashrc
zsh     eval "$(map-locations completion zsh)" in ~/.zshrc, after compinit
fish    see the example below`,
    )
    .action((shell: Shell) => void process.stdout.write(`${SCRIPTS[shell]}\n`));

  program
    .command(COMPLETE, { hidden: true })
    .argument('[words...]')
    .action((words: readonly string[]) => {
      for (const found of completionsOf(program, words)) process.stdout.write(`${found}\n`);
    });
}

/** @param words the words after the program's name; the last one is being typed. @returns none where only a file fits */
export function completionsOf(program: Command, words: readonly string[]): readonly string[] {
  const help = program.createHelp();
  const typed = words.at(-1) ?? '';
  let command = program;
  let count = 0;
  let valueOf: Option | undefined;
  for (const word of words.slice(0, -1)) {
    if (valueOf !== undefined) valueOf = undefined;
    else if (word.startsWith('-')) valueOf = optionOf(command, word);
    else {
      const next = help.visibleCommands(command).find((subcommand) => subcommand.name() === word);
      if (next === undefined) count += 1;
      else command = next;
    }
  }
  return candidates(help, command, { typed, count, valueOf }).filter((name) => name.startsWith(typed));
}

/** The option, if the next word must be its value. */
function optionOf(command: Command, word: string): Option | undefined {
  return command.options.find((option) => option.required && (option.long === word || option.short === word));
}

interface Typing {
  readonly typed: string;
  /** Number of arguments before it. */
  readonly count: number;
  readonly valueOf: Option | undefined;
}

function candidates(help: Help, command: Command, { typed, count, valueOf }: Typing): readonly string[] {
  if (valueOf !== undefined) return valueOf.argChoices ?? [];
  if (typed.startsWith('-')) return help.visibleOptions(command).flatMap(({ long }) => long ?? []);
  const commands = count > 0 ? [] : help.visibleCommands(command).map((subcommand) => subcommand.name());
  return [...commands, ...(command.registeredArguments[count]?.argChoices ?? [])];
}
