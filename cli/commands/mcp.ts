import type { Command } from 'commander';
import { DEFAULT_RETRIES } from '#api/retry.ts';
import { EXIT } from '../errors.ts';
import { helpBelow } from '../help.ts';
import { addServerOptions, type ServerOptions } from '../options.ts';
import { type Invocation, interruptible, prepare } from '../run.ts';

interface McpOptions extends ServerOptions {
  folder?: string[];
}

/** The longest wait that a server may ask for, in seconds: a person is waiting. */
const MAX_WAIT = 30;

const HELP = helpBelow(
  [
    ['pixdock mcp --folder ~/Pictures', 'also upload files from there'],
    ['pixdock mcp', 'search, links and albums only'],
  ],
  [
    'For assistants that use the Model Context Protocol: they start this command and talk to it on standard input and output. It can upload, search, replace, return links, and fill albums; it can’t delete, and uploads are private unless you ask otherwise.',
    'Files outside the folders can’t be read, and links that lead out aren’t followed. You need a token with full access.',
  ],
);

export function mcpCommand(program: Command, invocation: Invocation) {
  const command = program
    .command('mcp')
    .summary('let an assistant upload and find pictures (Model Context Protocol)')
    .description('Serves the Model Context Protocol on standard input and output.')
    .option('--folder <dir>', 'a folder with files that may be uploaded; can be repeated', (dir: string, all: string[] = []) => [
      ...all,
      dir,
    ]);
  addServerOptions(command, DEFAULT_RETRIES)
    .addHelpText('after', HELP)
    .action(async (options: McpOptions) => {
      // Only this command needs the protocol; the others start faster without it.
      const [{ serveTools }, { createTools }, { readableFiles }] = await Promise.all([
        import('../mcp/server.ts'),
        import('../mcp/tools.ts'),
        import('../mcp/readable-files.ts'),
      ]);
      invocation.finish(
        await interruptible(invocation.io, 1, async (signal) => {
          const files = await readableFiles(options.folder ?? []);
          const run = await prepare(invocation, options, MAX_WAIT);
          await serveTools(createTools({ run, files, signal }), run.io, signal);
          return EXIT.done;
        }),
      );
    });
}
