import { expect, it } from 'vitest';
import { resetPassword } from '#server/features/accounts/reset-password.ts';
import { ConfigError } from '#server/platform/config/config.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { logIn } from '#test/helpers/service/log-in.ts';
import { OWNER, startTestService } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();

const enter = (password: string) => async () => password;
const neverAsked = () => Promise.reject(new Error('asked'));
const statusOf = async (password: string) => (await logIn(service, OWNER.username, password)).status;

it('takes effect at once while the service is running, ends all sessions and, unless told otherwise, revokes all tokens', async () => {
  const authorization = `Bearer ${await owner.token('upload')}`;
  const withToken = async () => (await fetch(`${service.url}/api/v1/user/limits`, { headers: { authorization } })).status;
  await resetPassword(service.config, OWNER.email, enter('recovered at first'), { keepTokens: true });
  expect(await withToken()).toBe(200);
  expect(await resetPassword(service.config, OWNER.email, enter('recovered password'))).toBe(OWNER.username);
  expect(await statusOf(OWNER.password)).toBe(401);
  expect(await statusOf('recovered password')).toBe(200);
  expect((await owner.fetch('/api/v1/user')).status).toBe(401);
  expect(await withToken()).toBe(401);
});

it('works while the service is stopped', async () => {
  await service.stop();
  await resetPassword(service.config, OWNER.username, enter('recovered again'));
  await service.restart();
  expect(await statusOf('recovered again')).toBe(200);
});

it('sets the first password of an owner who has none', async () => {
  await using desktop = await startTestService();
  await desktop.openOwnerSession('ada');
  await resetPassword(desktop.config, 'ada', enter('a first password'));
  expect((await logIn(desktop, 'ada', 'a first password')).status).toBe(200);
});

it.each([
  ['an unknown account, before it prompts', () => resetPassword(service.config, 'unknown', neverAsked), /no account “unknown”/],
  ['a short password', () => resetPassword(service.config, OWNER.username, enter('short')), /at least 10 characters/],
  [
    'a folder without data',
    () => resetPassword({ dataDir: temporaryFolder() }, OWNER.username, enter('long enough now')),
    /isn’t a Pixdock data folder/,
  ],
])('refuses %s with a sentence', async (_name, reset, sentence) => {
  const refusal = await reset().catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ConfigError);
  expect((refusal as Error).message).toMatch(sentence);
});
