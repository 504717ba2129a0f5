import { useSyncExternalStore } from 'react';
import { addressOf } from '#api/client.ts';
import { SENDER_HEADER } from '#api/constants.ts';
import type { SentFile } from '#api/sharing/requests.ts';
import { randomKey } from '#renderer/upload/queue/send-form.ts';

// A sender has no account. What makes pictures theirs is a secret that only this browser has (decision 141).

const KEY = 'pixdock.senders';
/** The links that were used last. */
const MAX_LINKS = 20;

/** The sender through one link. */
export interface Sender {
  id: string;
  secret: string;
  /** Empty: not given. */
  name: string;
  /** What they have sent, the latest first. */
  sent: readonly SentFile[];
}

const listeners = new Set<() => void>();
let isKept = true;

/** Another release may have stored something else. */
const isSender = (value: Partial<Sender> | null): value is Sender =>
  typeof value?.id === 'string' && typeof value.secret === 'string' && typeof value.name === 'string' && Array.isArray(value.sent);

function read(): readonly Sender[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isSender) : [];
  } catch {
    isKept = false; // storage is blocked
    return [];
  }
}

let senders = read();

function store(sender: Sender): void {
  senders = [sender, ...(isKept ? read() : senders).filter(({ id }) => id !== sender.id)].slice(0, MAX_LINKS);
  try {
    localStorage.setItem(KEY, JSON.stringify(senders));
  } catch {
    isKept = false;
  }
  for (const listener of listeners) listener();
}

window.addEventListener('storage', (event) => {
  if (event.key !== KEY) return;
  senders = read();
  for (const listener of listeners) listener();
});

/** The sender through a link, whose secret is made when it is first needed. */
export function senderOf(id: string): Sender {
  const known = senders.find((sender) => sender.id === id);
  if (known) return known;
  const sender = { id, secret: randomKey(), name: '', sent: [] };
  store(sender);
  return senders.find((one) => one.id === id) ?? sender;
}

export const senderHeaders = (id: string): Record<string, string> => ({ [SENDER_HEADER]: senderOf(id).secret });

/** Keeps the name that a sender gives. */
export const keepName = (id: string, name: string): void => store({ ...senderOf(id), name });

/**
 * Tells the owner that everything has been sent, and by whom: also of what was sent within a day. It reaches the service even while the
 * page is being closed. Without it, the owner is told two minutes later, and of the name with the next pictures.
 */
export async function tellName(id: string): Promise<void> {
  const headers = { 'content-type': 'application/json', ...senderHeaders(id) };
  const body = JSON.stringify({ from: senderOf(id).name.trim() });
  await fetch(addressOf('POST /r/:id/done', { params: { id } }), { method: 'POST', keepalive: true, headers, body }).catch(() => undefined);
}

/** Keeps what was sent, to be removed later. */
export const keepSent = (id: string, file: SentFile): void =>
  store({ ...senderOf(id), sent: [file, ...senderOf(id).sent.filter(({ remove_url }) => remove_url !== file.remove_url)] });

/** Keeps what the service says that can still be removed: its owner may have deleted a picture, or restored one. */
export function keepAllSent(id: string, sent: readonly SentFile[]): void {
  const before = senderOf(id);
  const idsOf = (files: readonly SentFile[]) => files.map(fileOf).join();
  if (idsOf(sent) !== idsOf(before.sent)) store({ ...before, sent });
}

/** Forgets what has been removed. */
export const forgetSent = (id: string, file: string): void =>
  store({ ...senderOf(id), sent: senderOf(id).sent.filter((one) => fileOf(one) !== file) });

/** What the service knows a picture by. */
export const fileOf = ({ remove_url }: Pick<SentFile, 'remove_url'>): string => remove_url?.split('/').at(-1) ?? '';

/** The sender through a link, with what can still be removed, and whether this browser keeps it. */
export function useSender(id: string): Sender & { isKept: boolean } {
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => senders,
  );
  const sender = all.find((one) => one.id === id) ?? { id, secret: '', name: '', sent: [] };
  return { ...sender, sent: sender.sent.filter(({ remove_until }) => Date.parse(remove_until ?? '') > Date.now()), isKept };
}
