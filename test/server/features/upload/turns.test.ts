import { get } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { createToken } from '#server/core/accounts/tokens.ts';
import { createOwner } from '#server/features/accounts/setup.ts';
import type { DecodingQueue, DecodingTurn } from '#server/platform/imaging/decoding.ts';
import { png } from '#test/helpers/pictures/images.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

/** A service that notes the turns of decoding, with an owner and a token. */
async function observed() {
  const turns: DecodingTurn[] = [];
  const { context, url, close } = await openTestContext(undefined, (original) => ({
    ...original,
    decoding: {
      ...original.decoding,
      as(turn) {
        turns.push(turn);
        return original.decoding.as(turn);
      },
    } satisfies DecodingQueue,
  }));
  onTestFinished(close);
  await context.settings.change('note', { guest_upload_enabled: true });
  const owner = await createOwner(context.db.as('job'), { username: 'ada', email: null, password: null });
  const { secret } = await createToken(context.db.as('job'), owner.id, { name: 'test', scope: 'upload', expiresIn: 0 });
  return { context, url, turns, token: secret, owner };
}

it('decodes for the user or the network that uploads', async () => {
  const { url, turns, token, owner } = await observed();
  await uploadImage({ url }, token, await png({ seed: 1 }));
  await uploadImage({ url }, undefined, await png({ seed: 2 }));
  expect(turns).toMatchObject([
    { who: `user ${owner.id}`, purpose: 'upload', isGuest: false },
    { who: 'guest 127.0.0.1', purpose: 'upload', isGuest: true },
  ]);
});

it('makes no thumbnail for a client that has disconnected', async () => {
  const { context, url, token } = await observed();
  const { key } = await uploadImage({ url }, token, await png({ seed: 3 }));
  const { promise, resolve: free } = Promise.withResolvers<void>();
  const other = { who: 'other', purpose: 'upload' } as const;
  const blockers = [1, 2].map(() => context.decoding.as(other)(1, () => promise));
  const request = get(`${url}/t/${key}.jpg`, { agent: false }).on('error', () => undefined);
  const waiting = () => context.decoding.counts().decoding.waiting;
  await expect.poll(waiting).toBe(1);
  request.destroy();
  await expect.poll(waiting).toBe(0);
  free();
  await Promise.all(blockers);
});
