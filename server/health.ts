import type { RequestHandler } from 'express';
import { sql } from 'kysely';
import type { Context } from '#server/core/context.ts';
import { RequestError } from '#server/platform/base/errors.ts';

/** `GET /healthz`: 200 while database and storage work, otherwise 503 with the reason in the log. */
export function healthHandler({ db, blobs, log }: Context): RequestHandler {
  return async (_request, response) => {
    try {
      await sql`select 1`.execute(db.read);
      const policies = await db.read.selectFrom('policies').select('id').execute();
      for (const { id } of policies) await (await blobs.driverOf(id)).check();
    } catch (error) {
      log.error({ err: error }, 'not healthy');
      throw new RequestError('unavailable', 'The database or the storage isn’t available at the moment.');
    }
    response.setHeader('Cache-Control', 'no-store').json({ status: true, message: 'ok', data: {} });
  };
}
