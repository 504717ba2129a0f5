import { finished } from 'node:stream/promises';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { version } from '../../package.json' with { type: 'json' };
import { describeError } from '../errors.ts';
import type { Io } from '../io.ts';
import type { Tool } from './tools.ts';

const INSTRUCTIONS =
  'Pixdock hosts pictures. Uploads are private unless the user asks for public links. Others are shown something only with an argument that says so, after asking the user. Nothing can be deleted here: for that, the user opens Pixdock.';

/** Serves the tools on standard input and output until the input ends, or the signal fires. */
export async function serveTools(tools: readonly Tool[], { stdin, stdout }: Io, signal: AbortSignal): Promise<void> {
  const create = () => {
    const server = new McpServer({ name: 'pixdock', version }, { instructions: INSTRUCTIONS });
    for (const tool of tools) register(server, tool);
    return server;
  };
  const handle = serveStdio(create, { transport: new StdioServerTransport(stdin, stdout) });
  try {
    await finished(stdin, { writable: false, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await handle.close();
  }
}

function register(server: McpServer, { name, title, description, input, readOnly = false, run }: Tool) {
  const annotations = { readOnlyHint: readOnly, destructiveHint: false, openWorldHint: false };
  server.registerTool(name, { title, description, inputSchema: input, annotations }, async (given) => {
    try {
      const result = await run(given as never);
      return { content: [{ type: 'text', text: JSON.stringify(result, undefined, 2) }] };
    } catch (error) {
      // For the model, which can tell the user or try something else.
      return { content: [{ type: 'text', text: describeError(error) }], isError: true };
    }
  });
}
