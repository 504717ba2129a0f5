import { Button, Text } from '@mantine/core';
import { IconAlbumOff } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import type { SentImage } from '#api/sent.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import classes from '#renderer/images/sent/sent-pictures.module.css';
import { SentPictures, useOpened } from '#renderer/images/sent/sent-pictures.tsx';
import { Opening } from '#renderer/images/viewer/opening.tsx';
import { ViewerButton } from '#renderer/images/viewer/viewer-dialog.tsx';
import { client } from '#renderer/service/client.ts';
import { load } from '#renderer/service/connection.ts';
import { receivedQuery } from '#renderer/service/sent.ts';

const SentViewer = lazy(() =>
  load(() => import('#renderer/images/sent/sent-viewer.tsx')).then((module) => ({ default: module.SentViewer })),
);

/** The pictures that others have sent to the owner of an album and that they have put into it. Nobody else sees them there. */
export function ReceivedInAlbum({ albumId }: { albumId: string }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const notifyError = useNotifyError();
  const list = useInfiniteQuery(receivedQuery(albumId));
  const images = useMemo(() => list.data?.pages.flatMap(({ items }) => items) ?? [], [list.data]);
  const [shown, setShown] = useState<string>();
  const close = useCallback(() => setShown(undefined), []);
  const opened = useOpened(images, shown, close);
  const remove = useMutation({
    mutationFn: ({ key }: SentImage) => client.call('DELETE /albums/:id/received/:key', { params: { id: albumId, key } }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['sent'] }),
    onError: (error) => notifyError(error),
  });
  if (images.length === 0) return null;
  return (
    <section className={classes.section} aria-labelledby="received">
      <Text size="sm" mb={4}>
        <strong id="received">{t('sentPictures.received')}</strong> {t('sentPictures.onlyYou')}
      </Text>
      <SentPictures images={images} label={t('sentPictures.received')} isRow onOpen={({ key }) => setShown(key)}>
        {list.hasNextPage && (
          <li>
            <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {t('sentPictures.more')}
            </Button>
          </li>
        )}
      </SentPictures>
      {opened && (
        <Suspense fallback={<Opening image={opened} onClose={close} />}>
          <SentViewer
            images={images}
            shown={opened.key}
            isOwn={false}
            more={(image) => (
              <ViewerButton
                label={t('library.removeFromAlbum')}
                onClick={() => {
                  close();
                  remove.mutate(image);
                }}
              >
                <IconAlbumOff size={20} stroke={1.8} />
              </ViewerButton>
            )}
            onShow={setShown}
            onClose={close}
          />
        </Suspense>
      )}
    </section>
  );
}
