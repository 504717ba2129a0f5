import { Argument, type Command, type Option } from 'commander';
import { completionScript, SHELLS, type Shell } from '../completion.ts';
import { EXIT } from '../errors.ts';
import { helpBelow } from '../help.ts';
import type { Invocation } from '../run.ts';

const HELP = helpBelow([
  ['source <(pixdock completion bash)', 'bash: this session only; add the line to ~/.bashrc to keep it'],
  [`pixdock completion zsh > "\${fpath[1]}/_pixdock"`, 'zsh: then restart the shell'],
  ['pixdock completion fish > ~/.config/fish/completions/pixdock.fish', 'fish'],
]);

export function completionCommand(program: Command, { io, finish }: Invocation) {
  program
    .command('completion')
    .summary('print a completion script for your shell')
    .description('Prints a script that completes commands, options and their values.')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .addHelpText('after', HELP)
    .action((shell: Shell) => {
      io.stdout.write(completionScript(shell, describeCommands(program)));
      finish(EXIT.done);
    });
}

/** The commands for the scripts, read from commander so that they can't differ. */
function describeCommands(program: Command) {
  const everywhere = program.options.filter(({ long }) => long !== '--version');
  const commands = program.commands.map((command) => ({
    name: command.name(),
    summary: command.summary(),
    ...describeArgument(command),
    options: [...[...command.options, ...everywhere].filter(({ long }) => long).map(describeOption), HELP_OPTION],
  }));
  const help = { name: 'help', summary: HELP_OPTION.description, takes: 'words' as const, options: [] };
  return [...commands, { ...help, choices: commands.map(({ name }) => name) }];
}

/** commander keeps it apart from the other options. */
const HELP_OPTION = { name: '--help', description: 'show help', takesValue: false, choices: [] };

function describeArgument({ registeredArguments }: Command) {
  // Files come last: `replace <picture> <file>`.
  const argument = registeredArguments.at(-1);
  const choices = argument?.argChoices ?? [];
  const kinds: Record<string, 'file' | 'folder'> = { file: 'file', dir: 'folder' };
  return { choices, takes: kinds[argument?.name() ?? ''] ?? ('words' as const) };
}

function describeOption({ long, description, argChoices, required }: Option) {
  return { name: long ?? '', description, takesValue: Boolean(required), choices: argChoices ?? [] };
}
