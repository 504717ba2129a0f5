import axe from 'axe-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import type { Card, CardAction } from '#api/desktop/cards.ts';
import { FakeBridge } from '#test/helpers/screen/bridge.ts';
import { RULES } from '#test/helpers/screen/screens.ts';

/** The page in a frame, as it is on the disk, with main played. */
let frame: HTMLIFrameElement;
let fake: FakeBridge;
let faults: string[];
let calls: unknown[][];
let cards: Card[];
let refuse: string | undefined;

const A = '6f1f2f56-8b0c-4c0e-9f5e-0a1b2c3d4e5f';
const B = '7f1f2f56-8b0c-4c0e-9f5e-0a1b2c3d4e5f';
const LABELS: Partial<Record<CardAction, string>> = {
  copyLink: 'Copy link',
  copyPicture: 'Copy picture',
  retry: 'Try again',
  close: 'Close',
};
const card = (
  id: string,
  more: Partial<Card> = {},
  names: CardAction[] = ['open', 'copyLink', 'copyPicture', 'delete', 'close'],
): Card => ({
  ...{ id, name: id === A ? 'a.png' : 'b.png', state: 'done', canDrag: true, title: 'Link copied', detail: 'Only you can open it' },
  actions: names.map((name) => ({ name, label: LABELS[name] ?? name })),
  ...more,
});

beforeEach(async () => {
  [calls, cards, faults, refuse] = [[], [], [], undefined];
  const act = (...input: unknown[]) => {
    calls.push(input);
    if (refuse) throw new Error(refuse);
  };
  fake = new FakeBridge(
    {
      getCards: () => ({ lang: 'en', heading: 'Captures', askDelete: 'Delete it?', cancel: 'Cancel', cards }),
      getCardPicture: async () => new Uint8Array(await (await fetch('/0060x0040001')).arrayBuffer()),
      actOnCard: async (id, action) => void act(id, action),
      dragCard: (id) => void calls.push(['drag', id]),
      holdCards: (_display, isHeld) => void calls.push(['hold', isHeld]),
    },
    faults,
  );
  const html = await (await fetch('/resources/card.html')).text();
  frame = Object.assign(document.createElement('iframe'), { width: '364', height: '232', title: 'cards' });
  Object.assign(globalThis, { cardBridge: fake.bridge });
  frame.srcdoc = html
    .replace(/<meta\s+http-equiv[^>]*>/, '<base href="/resources/" />')
    .replace('<script defer', '<script>window.pixdock = parent.cardBridge</script><script defer');
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  document.body.append(frame);
  await loaded;
});
afterEach(() => {
  frame.remove();
  expect(faults).toEqual([]);
});

const within = () => page.frameLocator(page.elementLocator(frame));
const article = (index = 0) => within().getByRole('article').nth(index);
async function show(...next: Card[]) {
  cards = next;
  fake.emit('cardsChanged', null);
  await expect.poll(() => frame.contentDocument?.querySelectorAll('article').length).toBe(next.length);
}

/** Fails on accessibility violations in light and in dark colours. */
async function check(name: string) {
  const inside = frame.contentWindow as unknown as typeof globalThis & { axe: typeof axe };
  inside.eval(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await commands.emulateMedia({ colorScheme });
    const { violations } = await inside.axe.run(inside.document, { resultTypes: ['violations'], rules: RULES });
    expect(
      violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ html }) => html).join(' | ')}`),
      `${name}, ${colorScheme}`,
    ).toEqual([]);
  }
  await commands.emulateMedia({ colorScheme: null });
}

test('shows the progress, then the result with a picture and what can be done, and keeps the focus meanwhile', async () => {
  await show(card(A, { state: 'uploading', title: 'Uploading…', progress: 0.4 }, ['close']));
  await expect.element(article().getByRole('progressbar', { name: 'Uploading…' })).toHaveValue(0.4);
  await check('a card that uploads');
  fake.emit('cardFocused', A);
  await expect.element(article().getByRole('button', { name: 'Close' })).toHaveFocus();
  await show(card(A));
  await expect.element(article().getByRole('button', { name: 'Close' })).toHaveFocus();
  await expect.element(article().getByRole('status')).toHaveTextContent('Link copied');
  await expect.element(article().getByRole('progressbar')).not.toBeInTheDocument();
  await check('a card');
  await article().getByRole('button', { name: 'Copy picture' }).click();
  await article().getByRole('button', { name: 'open: a.png' }).click();
  expect(calls.filter(([what]) => what === A)).toEqual([
    [A, 'copyPicture'],
    [A, 'open'],
  ]);
});

test('the picture follows the file of a watch folder’s card', async () => {
  const address = () => frame.contentDocument?.querySelector('img')?.src ?? '';
  await show(card(A));
  await expect.poll(address).toContain('blob:');
  const first = address();
  await show(card(A, { name: 'later.png' }));
  await expect.poll(address).not.toBe(first);
});

test('several stack, the newest first, and Escape closes the one with the focus, else the newest', async () => {
  await show(card(A));
  await show(card(B), card(A));
  expect(frame.contentDocument?.querySelector('article')?.getAttribute('aria-label')).toBe('b.png');
  fake.emit('cardFocused', A);
  await userEvent.keyboard('{Escape}');
  expect(calls.at(-1)).toEqual([A, 'close']);
  await show(card(B));
  await expect.element(article().getByRole('button', { name: 'Copy link' })).toHaveFocus();
});

test('errors are on the card until it says something new', async () => {
  await show(card(A));
  refuse = 'Couldn’t copy the link';
  await article().getByRole('button', { name: 'Copy link' }).click();
  await expect.element(article().getByText('Couldn’t copy the link')).toBeVisible();
  await check('a card with an error');
  await show(card(A, { state: 'failed', title: 'Couldn’t upload', detail: 'It is too large.' }, ['retry', 'close']));
  await expect.element(article().getByText('It is too large.')).toBeVisible();
  refuse = undefined;
  await article().getByRole('button', { name: 'Try again' }).click();
  expect(calls.at(-1)).toEqual([A, 'retry']);
});

test('nothing is deleted unless it is confirmed', async () => {
  await show(card(A));
  const remove = article().getByRole('button', { name: 'delete' });
  await remove.click();
  const question = article().getByRole('alertdialog', { name: 'Delete it?' });
  await expect.element(question.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await check('a question on a card');
  await userEvent.keyboard('{Escape}');
  await expect.element(remove).toHaveFocus();
  expect(calls.some(([what]) => what === A)).toBe(false);
  await remove.click();
  await question.getByRole('button', { name: 'delete' }).click();
  expect(calls.at(-1)).toEqual([A, 'delete']);
});

test('tells main while it is looked at, and when its picture is dragged', async () => {
  await show(card(A));
  await article().hover();
  await expect.poll(() => calls).toContainEqual(['hold', true]);
  const picture = frame.contentDocument?.querySelector('.picture');
  picture?.dispatchEvent(new DragEvent('dragstart', { bubbles: true, cancelable: true }));
  expect(calls).toContainEqual(['drag', A]);
});
