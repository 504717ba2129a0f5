// Measures how soon pictures that are sent to 20 people arrive: from the request to the event of each recipient's page and app, and to the
// notice on one recipient's page in Chromium.
import { chromium } from 'playwright';
import { openWorkshop } from './support/programs.ts';
import { record } from './support/results.ts';
import { noise, post, startService } from './support/service.ts';

const RECIPIENTS = 20;
const SENDINGS = 50;
const PASSWORD = 'a password of the bench';
/** Two seconds is the promise. */
const TARGET_SECONDS = 2;

await using workshop = openWorkshop();
const service = await startService(workshop, { pin: false });
const { key } = await service.upload(await noise(200), { visibility: 'private' });
const names = Array.from({ length: RECIPIENTS }, (_, at) => `recipient-${at}`);
const cookies: string[] = [];
for (const username of names) {
  await post(service.url, '/admin/users', { username, email: `${username}@example.org`, password: PASSWORD }, service.cookie);
  const response = await post(service.url, '/auth/login', { login: username, password: PASSWORD });
  cookies.push(response.headers.getSetCookie().map((text) => text.split(';')[0])[0] ?? '');
}
const apps: string[] = [];
for (const cookie of cookies) {
  const response = await post(service.url, '/user/tokens', { name: 'app', scope: 'device' }, cookie);
  apps.push(((await response.json()) as { data: { token: string } }).data.token);
}

/** When each stream has received each sending, by its id. */
type Arrivals = Map<string, number>;
const ended = new AbortController();
const pages = await Promise.all(cookies.map((cookie) => listen({ cookie })));
const joined = await Promise.all(apps.map((token) => listen({ authorization: `Bearer ${token}` })));

await using browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage();
const [name = '', value = ''] = (cookies[0] ?? '').split('=');
await page.context().addCookies([{ name, value, url: service.url }]);
await page.goto(service.url);
await page.getByRole('heading', { level: 1 }).waitFor();

const [toPages, toApps, toNotice] = [[] as number[], [] as number[], [] as number[]];
for (let sending = 0; sending < SENDINGS; sending++) {
  const message = `Sending ${sending}, over and out`;
  const notice = page.getByText(message).first().waitFor({ timeout: 30_000 });
  const start = Date.now();
  const response = await post(service.url, '/sent', { keys: [key], to: names.map((username) => ({ username })), message }, service.cookie);
  const { id } = ((await response.json()) as { data: { id: string } }).data;
  await notice;
  toNotice.push((Date.now() - start) / 1000);
  // The page shows a few at a time.
  await page.locator('.mantine-Notification-closeButton').first().click();
  for (const [arrivals, into] of [
    [pages, toPages],
    [joined, toApps],
  ] as const)
    for (const each of arrivals) into.push(((await arrivalOf(each, id)) - start) / 1000);
}
ended.abort();
report(`event on the streams of ${RECIPIENTS} pages`, toPages);
report(`event on the streams of ${RECIPIENTS} joined apps`, toApps);
report('notice on a page in Chromium', toNotice);

async function listen(headers: Record<string, string>): Promise<Arrivals> {
  const arrivals: Arrivals = new Map();
  const response = await fetch(`${service.url}/api/v1/events`, { headers, signal: ended.signal });
  if (!response.ok || !response.body) throw new Error(`/events: ${await response.text()}`);
  const stream = response.body;
  const read = async () => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const part of stream) {
      text += decoder.decode(part, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks.filter((one) => one.includes('event: sent.received')))
        for (const id of (JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '{}') as { keys: string[] }).keys) arrivals.set(id, Date.now());
    }
  };
  read().catch((error: unknown) => {
    if (!ended.signal.aborted) throw error;
  });
  return arrivals;
}

async function arrivalOf(arrivals: Arrivals, id: string): Promise<number> {
  for (const limit = Date.now() + 30_000; Date.now() < limit; ) {
    const at = arrivals.get(id);
    if (at !== undefined) return at;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`${id} hasn't arrived within 30 s`);
}

function report(row: string, seconds: readonly number[]) {
  const sorted = seconds.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  record({ row: `${row}, p50`, value: at(0.5), values: [at(0.5)], unit: 's', better: 'less' });
  record({ row: `${row}, p95`, value: at(0.95), values: [at(0.95)], unit: 's', target: TARGET_SECONDS, better: 'less' });
}
