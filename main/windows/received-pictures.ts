import { createClient } from '#api/client.ts';
import { MAX_PAGE } from '#api/constants.ts';
import { listSent } from '#api/sent.ts';
import { getReceived } from '#api/sharing/requests.ts';
import type { Clock } from '#main/base/clock.ts';
import type { Notify } from '#main/base/system/notifications.ts';
import type { Access, Account } from '#main/service/account.ts';
import { followAccount } from '#main/service/account-events.ts';
import type { Texts } from '#main/texts/en.ts';

interface Parts {
  /** The account that the tray uploads with. */
  account: Account;
  /** The account is on another computer: its token lists what is sent to it, but not what comes through request links. */
  isJoined: boolean;
  clock: Clock;
  notify: Notify;
  texts(): Texts;
  /** Shows a page of the application. */
  open(page: string): void;
}

/** Shows a notification when another user has sent pictures to the account, or someone has done so through one of its request links: one for all that they sent. */
export function announceReceived({ account, isJoined, clock, notify, texts, open }: Parts): void {
  async function announceSent(ids: readonly string[], { url, headers }: Access) {
    // Others may have arrived since these.
    const query = { box: 'in', limit: MAX_PAGE } as const;
    const { items } = await createClient({ baseUrl: url }).call(listSent, { query, headers });
    // In the order in which they arrived.
    for (const { sender, image_count, message } of items.filter(({ id }) => ids.includes(id)).toReversed())
      notify({
        title: texts().picturesReceived(image_count, sender.username),
        body: message || texts().sentToYou,
        onClick: () => open('/sent'),
      });
  }

  async function announceBatch(batch: string, { url, headers }: Access) {
    const received = await createClient({ baseUrl: url }).call(getReceived, { params: { batch }, headers });
    notify({
      title: texts().picturesReceived(received.keys.length, received.from),
      body: texts().receivedFor(received.title),
      onClick: () => open(`/albums/${received.album_id}`),
    });
  }

  followAccount({
    account,
    clock,
    async onEvent({ kind, keys }, access) {
      if (kind === 'sent.received') await announceSent(keys, access);
      if (kind !== 'request.received') return;
      if (isJoined) notify({ title: texts().receivedThroughLink, body: account.name() ?? '', onClick: () => open('/albums') });
      else for (const batch of keys) await announceBatch(batch, access);
    },
  });
}
