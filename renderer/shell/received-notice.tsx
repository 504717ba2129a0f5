import { Anchor } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import type { TFunction } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import type { LiveEvent } from '#renderer/service/live/stream.ts';

/** Milliseconds. */
const SHOWN_FOR = 15_000;

/** Tells the user of pictures that someone has sent through one of their request links. */
export async function announceReceived({ keys }: Pick<LiveEvent, 'keys'>, t: TFunction, queryClient: QueryClient): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: ['requests'] });
  for (const batch of keys) {
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
}
