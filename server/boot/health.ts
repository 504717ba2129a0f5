import type { RequestHandler, Response } from 'express';
import { sql } from 'kysely';
import type { Context } from '#server/core/context.ts';
import { pageBrandOf } from '#server/core/settings/brand.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import { sendError } from '#server/platform/http/errors/envelope.ts';
import type { ServiceContext } from './compose.ts';

/**
 * `GET /healthz`: 200 while the database and this machine's storage work, otherwise 503. An object store that is down doesn't count:
 * restarting the service, or sending its clients elsewhere, wouldn't help.
 *
 * `GET /readyz`, for load balancers: the same, and 503 as soon as the service begins to stop, while it still accepts requests.
 *
 * Anyone can call them at any rate, so they log changes only.
 */
export function healthHandlers(context: ServiceContext): Record<'healthz' | 'readyz', RequestHandler> {
  const noteHealth = createHealthNotes(context);

  const refuse = (response: Response, message: string) =>
    sendError(response, new RequestError('unavailable', message), pageBrandOf(context.settings.current()));

  async function respond(response: Response) {
    const fault = await findFault(context);
    noteHealth(fault);
    if (fault) refuse(response, 'The database or the storage isn’t available at the moment.');
    else response.setHeader('Cache-Control', 'no-store').json({ status: true, message: 'ok', data: {} });
  }

  return {
    healthz: (_request, response) => respond(response),
    readyz(_request, response) {
      if (!context.lifecycle.stopping) return respond(response);
      refuse(response, 'The service is stopping.');
    },
  };
}

async function findFault({ db, blobs }: Context): Promise<Error | undefined> {
  try {
    await sql`select 1`.execute(db.read);
    const policies = await db.read.selectFrom('policies').select('id').execute();
    for (const { id } of policies) {
      const driver = await blobs.driverOf(id);
      if (!driver.isRemote) await driver.check();
    }
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** Logs when the service becomes unhealthy, for another reason, or healthy again. */
function createHealthNotes({ log }: Pick<Context, 'log'>): (fault: Error | undefined) => void {
  let last: string | undefined;
  return (fault) => {
    if (fault?.message === last) return;
    last = fault?.message;
    if (fault) log.error({ err: fault }, 'not healthy');
    else log.info('healthy again');
  };
}
