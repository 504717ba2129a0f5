import { Anchor, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { MAX_PAGE } from '#api/constants.ts';
import type { TFunction } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import type { LiveEvent } from '#renderer/service/live/stream.ts';

/** Milliseconds. */
const SHOWN_FOR = 15_000;

/** Tells the user of pictures that someone has sent, through one of their request links or from their own account; and has lists of such pictures read again. */
export async function announceReceived({ kind, keys }: LiveEvent, t: TFunction, queryClient: QueryClient): Promise<void> {
  const subject = kind === 'request.received' ? 'requests' : 'sent';
  void queryClient.invalidateQueries({ queryKey: [subject] });
  if (kind === 'request.received') for (const batch of keys) await announceBatch(batch, t);
  else if (kind === 'sent.received') await announceSent(keys, t);
}

async function announceBatch(batch: string, t: TFunction) {
  const { title, from, keys: sent, album_id } = await client.call('GET /requests/received/:batch', { params: { batch } });
  notifications.show({
    id: `received ${batch}`,
    color: 'petrol.7',
    title: t('requests.batch', { count: sent.length, from: from || t('requests.someone') }),
    message: (
      <>
        {t('requests.arrived', { title })} <Anchor href={`/albums/${album_id}`}>{t('requests.open')}</Anchor>
      </>
    ),
    autoClose: SHOWN_FOR,
  });
}

/** What was taken back meanwhile isn't in the list. */
async function announceSent(ids: readonly string[], t: TFunction) {
  const { items } = await client.call('GET /sent', { query: { box: 'in', limit: Math.min(ids.length, MAX_PAGE) } });
  for (const { id, sender, message, image_count: count } of items.filter((item) => ids.includes(item.id)).toReversed())
    notifications.show({
      id: `sent ${id}`,
      color: 'petrol.7',
      title: t('sentPictures.arrived', { name: sender.username, count }),
      message: (
        <>
          {message && (
            <Text inherit lineClamp={3} dir="auto">
              {message}
            </Text>
          )}
          <Anchor href="/sent" display="inline-block" py={4}>
            {t('sentPictures.look')}
          </Anchor>
        </>
      ),
      autoClose: SHOWN_FOR,
    });
}
