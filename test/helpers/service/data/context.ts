import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp, createListener } from '#server/boot/app.ts';
import { openContext, type ServiceContext } from '#server/boot/compose.ts';
import { parseConfig } from '#server/platform/config/config.ts';
import { messageClasses } from '#server/platform/http/errors/message-classes.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { databaseOf } from './database.ts';
import { writeEmptyDatabase } from './empty-database.ts';

export interface TestContext {
  context: ServiceContext;
  url: string;
  /** Leaves it as a crash would, but with its files closed: pending writes are lost. */
  close(): Promise<void>;
}

/**
 * A data folder opened in this process, with its HTTP application: for tests that control the clock or inspect internals. Jobs
 * don't run automatically.
 * @param change replaces parts with test doubles, such as a full disk
 */
export async function openTestContext(folder?: string, change = (context: ServiceContext) => context): Promise<TestContext> {
  const dataDir = folder ?? temporaryFolder();
  if (!folder) await writeEmptyDatabase(dataDir);
  const config = parseConfig({ port: 0, webRoot: dataDir, logLevel: 'silent', dataDir, ...(await databaseOf(dataDir)) });
  let url = '';
  const { context, close } = await openContext({ config, version: '0.0.0', ownAddress: () => url });
  const changed = change(context);
  const app = createApp(changed);
  const server = createServer(messageClasses(app), createListener(app, changed));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    context,
    url,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await close();
    },
  };
}
