import { Command, CommanderError } from 'commander';
import { version } from '../package.json' with { type: 'json' };
import { completionCommand } from './commands/completion.ts';
import { dateCommand } from './commands/date.ts';
import { deleteCommand } from './commands/delete.ts';
import { exportCommand } from './commands/export.ts';
import { getCommand } from './commands/get.ts';
import { importCommand } from './commands/import.ts';
import { importDirCommand } from './commands/import-dir.ts';
import { listCommands } from './commands/list.ts';
import { loginCommands } from './commands/login.ts';
import { markdownCommand } from './commands/markdown.ts';
import { mcpCommand } from './commands/mcp.ts';
import { migrateCommand } from './commands/migrate.ts';
import { replaceCommand } from './commands/replace.ts';
import { sendCommand } from './commands/send.ts';
import { serveCommands } from './commands/serve.ts';
import { statusCommand } from './commands/status.ts';
import { uploadCommand } from './commands/upload.ts';
import { verifyCommand } from './commands/verify.ts';
import { readEnvironment } from './env.ts';
import { describeError, EXIT, Interrupted, UsageError } from './errors.ts';
import { helpBelow } from './help.ts';
import type { Io, Output } from './io.ts';
import type { Invocation } from './run.ts';
import { heedOutput, Terminal } from './terminal.ts';

const HELP = helpBelow(
  [['pixdock login https://pics.example.org'], ['pixdock upload photo.jpg']],
  ['For details about a command: pixdock upload --help'],
);

/**
 * Runs the command line.
 * @returns the exit code: 0 done, 1 something failed, 2 usage error, 130 interrupted
 */
export async function run(args: string[], io: Io): Promise<number> {
  heedOutput(io);
  const environment = readEnvironment(io.env);
  const terminal = new Terminal(io, !environment.noColor);
  let exitCode: number = EXIT.done;
  const finish = (code: number) => {
    exitCode = code;
  };
  try {
    await buildProgram({ io, environment, terminal, finish }).parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    return report(error, terminal, io);
  }
}

/** All commands with their options. */
function buildProgram(invocation: Invocation): Command {
  const { io, terminal } = invocation;
  const widthOf =
    ({ isTTY, columns }: Output) =>
    () =>
      (isTTY && columns) || 80;
  const program = new Command('pixdock')
    .description('Uploads pictures to a Pixdock server and prints their links.')
    .version(version, '-V, --version', 'print the version')
    // For every command, before or after its name.
    .option('--no-color', 'turn off colours (environment: NO_COLOR)')
    .on('option:no-color', () => terminal.turnOffColours())
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .showSuggestionAfterError()
    .addHelpText('after', HELP)
    .exitOverride()
    // Wrap on narrow terminals too: the terminal itself would break lines within words.
    .configureHelp({ minWidthToWrap: 20, showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: widthOf(io.stdout),
      getErrHelpWidth: widthOf(io.stderr),
      outputError: (text, write) => write(text.replace(/^error: /, 'pixdock: ')),
    });
  uploadCommand(program, invocation);
  replaceCommand(program, invocation);
  dateCommand(program, invocation);
  importDirCommand(program, invocation);
  importCommand(program, invocation);
  markdownCommand(program, invocation);
  mcpCommand(program, invocation);
  listCommands(program, invocation);
  getCommand(program, invocation);
  exportCommand(program, invocation);
  deleteCommand(program, invocation);
  sendCommand(program, invocation);
  loginCommands(program, invocation);
  statusCommand(program, invocation);
  serveCommands(program, invocation);
  verifyCommand(program, invocation);
  migrateCommand(program, invocation);
  completionCommand(program, invocation);
  for (const command of program.commands) command.showHelpAfterError(`See \`pixdock ${command.name()} --help\`.`);
  return program;
}

function report(error: unknown, terminal: Terminal, { stderr }: Io): number {
  // commander has printed the error already; its own exit code would be 1.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof Interrupted) {
    terminal.note('Interrupted.');
    return EXIT.interrupted;
  }
  terminal.problem(undefined, describeError(error));
  if (error instanceof UsageError) return EXIT.usage;
  if (isUnexpected(error)) stderr.write(`${(error as Error).stack}\n`);
  return EXIT.failed;
}

/** Errors whose messages are meant for users. */
const EXPECTED = new Set(['ApiError', 'NetworkError', 'CommandError', 'ConfigError', 'SourceError']);

/** A bug, whose stack is needed: neither the service nor the system refused. */
function isUnexpected(error: unknown) {
  return error instanceof Error && !EXPECTED.has(error.name) && !('code' in error);
}
