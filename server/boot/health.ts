import type { RequestHandler } from 'express';
import { sql } from 'kysely';
import type { Context } from '#server/core/context.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import type { ServiceContext } from './compose.ts';

/**
 * `GET /healthz`: 200 while the database and this machine's storage work, otherwise 503 with the reason in the log. An object
 * store that is down doesn't count: restarting the service, or sending its clients elsewhere, wouldn't help.
 */
export function healthHandler(context: Context): RequestHandler {
  return async (_request, response) => {
    await requireHealth(context);
    response.setHeader('Cache-Control', 'no-store').json({ status: true, message: 'ok', data: {} });
  };
}

/** `GET /readyz`, for load balancers: like `/healthz`, and 503 as soon as the service begins to stop, while it still accepts requests. */
export function readyHandler(context: ServiceContext): RequestHandler {
  const checkHealth = healthHandler(context);
  return (request, response, next) => {
    if (context.lifecycle.stopping) throw new RequestError('unavailable', 'The service is stopping.');
    return checkHealth(request, response, next);
  };
}

async function requireHealth({ db, blobs, log }: Context): Promise<void> {
  try {
    await sql`select 1`.execute(db.read);
    const policies = await db.read.selectFrom('policies').select('id').execute();
    for (const { id } of policies) {
      const driver = await blobs.driverOf(id);
      if (!driver.isRemote) await driver.check();
    }
  } catch (error) {
    log.error({ err: error }, 'not healthy');
    throw new RequestError('unavailable', 'The database or the storage isn’t available at the moment.');
  }
}
