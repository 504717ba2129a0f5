import { createClient } from '#api/client.ts';
import { getReceived } from '#api/sharing/requests.ts';
import type { Clock } from '#main/base/clock.ts';
import type { Notify } from '#main/base/system/notifications.ts';
import type { Account } from '#main/service/account.ts';
import { followAccount } from '#main/service/account-events.ts';
import type { Texts } from '#main/texts/en.ts';

interface Parts {
  /** The account that the tray uploads with. */
  account: Account;
  clock: Clock;
  notify: Notify;
  texts(): Texts;
  /** Shows the window on a page of the application. */
  open(page: string): void;
}

/** Shows a notification when someone has sent pictures through a request link of the account: one for all that they sent. */
export function announceReceived({ account, clock, notify, texts, open }: Parts): void {
  followAccount({
    account,
    clock,
    async onEvent({ kind, keys }, { url, headers }) {
      if (kind !== 'request.received') return;
      for (const batch of keys) {
        const received = await createClient({ baseUrl: url }).call(getReceived, { params: { batch }, headers });
        notify({
          title: texts().picturesReceived(received.keys.length, received.from),
          body: texts().receivedFor(received.title),
          onClick: () => open(`/albums/${received.album_id}`),
        });
      }
    },
  });
}
