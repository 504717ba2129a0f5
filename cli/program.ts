import { Command, CommanderError } from 'commander';
import { version } from '../package.json' with { type: 'json' };
import { completionCommand } from './commands/completion.ts';
import { dateCommand } from './commands/date.ts';
import { importDirCommand } from './commands/import-dir.ts';
import { loginCommands } from './commands/login.ts';
import { markdownCommand } from './commands/markdown.ts';
import { mcpCommand } from './commands/mcp.ts';
import { migrateCommand } from './commands/migrate.ts';
import { replaceCommand } from './commands/replace.ts';
import { serveCommands } from './commands/serve.ts';
import { uploadCommand } from './commands/upload.ts';
import { verifyCommand } from './commands/verify.ts';
import { readEnvironment } from './env.ts';
import { describeError, EXIT, Interrupted, UsageError } from './errors.ts';
import { helpBelow } from './help.ts';
import { ignoreClosedPipes, Terminal } from './terminal.ts';

const HELP = helpBelow(
  [['pixdock login https://pics.example.org'], ['pixdock upload photo.jpg']],
  ['For details about a command: pixdock upload --help'],
);

/**
 * Runs the command line.
 * @returns the exit code: 0 done, 1 something failed, 2 usage error, 130 interrupted
 */
export async function main(args: string[]): Promise<number> {
  ignoreClosedPipes();
  let exitCode: number = EXIT.done;
  const program = buildProgram((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    return report(error);
  }
}

/** All commands with their options; `finish` receives the exit code of the one that ran. */
function buildProgram(finish: (exitCode: number) => void): Command {
  const program = new Command('pixdock')
    .description('Uploads pictures to a Pixdock server and prints their links.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .showSuggestionAfterError()
    .addHelpText('after', HELP)
    .exitOverride()
    // Wrap on narrow terminals too: the terminal itself would break lines within words.
    .configureHelp({ minWidthToWrap: 20 })
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'pixdock: ')) });
  uploadCommand(program, finish);
  replaceCommand(program, finish);
  dateCommand(program, finish);
  importDirCommand(program, finish);
  markdownCommand(program, finish);
  mcpCommand(program, finish);
  loginCommands(program, finish);
  serveCommands(program, finish);
  verifyCommand(program, finish);
  migrateCommand(program, finish);
  completionCommand(program, finish);
  for (const command of program.commands) command.showHelpAfterError(`See \`pixdock ${command.name()} --help\`.`);
  return program;
}

function report(error: unknown): number {
  // commander has printed the error already; its own exit code would be 1.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  const terminal = new Terminal(!readEnvironment().noColor && !process.argv.includes('--no-color'));
  if (error instanceof Interrupted) {
    terminal.note('Interrupted.');
    return EXIT.interrupted;
  }
  terminal.problem(undefined, describeError(error));
  if (error instanceof UsageError) return EXIT.usage;
  if (isUnexpected(error)) process.stderr.write(`${(error as Error).stack}\n`);
  return EXIT.failed;
}

/** Errors whose messages are meant for users. */
const EXPECTED = new Set(['ApiError', 'NetworkError', 'CommandError', 'ConfigError']);

/** A bug, whose stack is needed: neither the service nor the system refused. */
function isUnexpected(error: unknown) {
  return error instanceof Error && !EXPECTED.has(error.name) && !('code' in error);
}
