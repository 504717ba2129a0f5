import { Button, SegmentedControl, Skeleton, Title } from '@mantine/core';
import { IconAlbum, IconSend } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { SentImage } from '#api/sent.ts';
import { LaterSendDialog } from '#renderer/albums/sending/later-send-dialog.tsx';
import { usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { EmptyState, LoadError } from '#renderer/components/notices/notice.tsx';
import { Questions } from '#renderer/components/notices/questions.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { only } from '#renderer/images/list/batch.ts';
import { imageQueryKey } from '#renderer/images/list/list.ts';
import { useOpened } from '#renderer/images/sent/sent-pictures.tsx';
import { Opening } from '#renderer/images/viewer/opening.tsx';
import { useOpenImage } from '#renderer/images/viewer/use-open-image.ts';
import { ViewerButton } from '#renderer/images/viewer/viewer-dialog.tsx';
import { client } from '#renderer/service/client.ts';
import { load } from '#renderer/service/connection.ts';
import { type Box, sentQuery } from '#renderer/service/sent.ts';
import classes from './sent.module.css';
import { SentEntry } from './sent-entry.tsx';

const AddToAlbum = lazy(() => load(() => import('./add-to-album.tsx')).then((module) => ({ default: module.AddToAlbum })));
const SentViewer = lazy(() =>
  load(() => import('#renderer/images/sent/sent-viewer.tsx')).then((module) => ({ default: module.SentViewer })),
);

/** What was sent to the user, and what they have sent. */
export function SentPage() {
  const { t } = useTranslation();
  usePageTitle(t('sentPictures.pageTitle'));
  const search: { box?: string; send?: string } = useSearch({ strict: false });
  const box = search.box === 'out' ? 'out' : 'in';
  const navigate = useNavigate();
  return (
    <Questions>
      <div className={classes.page}>
        <header className={classes.header}>
          <Title order={1}>{t('sentPictures.pageTitle')}</Title>
          <SegmentedControl
            aria-label={t('sentPictures.pageTitle')}
            value={box}
            data={[
              { value: 'in', label: t('sentPictures.received') },
              { value: 'out', label: t('sentPictures.own') },
            ]}
            onChange={(value) => void navigate({ to: '/sent', search: value === 'out' ? { box: 'out' } : {}, replace: true })}
          />
        </header>
        {search.send !== undefined && (
          <SendNamed imageKey={String(search.send)} onClose={() => void navigate({ to: '/sent', search: { box: 'out' }, replace: true })} />
        )}
        <Entries key={box} box={box} />
      </div>
    </Questions>
  );
}

/** The dialog for one of the user's pictures that the address names: the desktop app opens it for what it has uploaded. */
function SendNamed({ imageKey, onClose }: { imageKey: string; onClose: () => void }) {
  const image = useQuery({
    queryKey: imageQueryKey(imageKey),
    queryFn: ({ signal }) => client.call('GET /images/:key', { params: { key: imageKey }, signal }),
  });
  if (image.error) return <LoadError error={image.error} onRetry={() => void image.refetch()} />;
  return image.data && <LaterSendDialog target={only([image.data])} onClose={onClose} />;
}

function Entries({ box }: { box: Box }) {
  const { t } = useTranslation();
  const list = useInfiniteQuery(sentQuery(box));
  const entries = useMemo(() => list.data?.pages.flatMap(({ items }) => items) ?? [], [list.data]);
  const viewer = useOpenImage();
  /** All pictures, each once, which the viewer goes through. */
  const images = useMemo<SentImage[]>(
    () => [...new Map(entries.flatMap(({ items }) => items.map((image) => [image.key, image]))).values()],
    [entries],
  );
  const opened = useOpened(images, viewer.shown, viewer.close);
  const [adding, setAdding] = useState<{ sentId: string; keys: string[] }>();
  const addOne = ({ key }: SentImage) => {
    const entry = entries.find(({ items }) => items.some((image) => image.key === key));
    if (entry) setAdding({ sentId: entry.id, keys: [key] });
  };
  return (
    <>
      {list.isPending && (
        <div role="status" aria-label={t('common.loading')}>
          <Skeleton height={180} radius="lg" mb="md" />
          <Skeleton height={180} radius="lg" />
        </div>
      )}
      {list.isError && <LoadError error={list.error} onRetry={() => void (entries.length > 0 ? list.fetchNextPage() : list.refetch())} />}
      {list.isSuccess && entries.length === 0 && (
        <EmptyState
          art={<IconSend size={48} stroke={1.2} aria-hidden />}
          title={t(box === 'in' ? 'sentPictures.emptyReceived' : 'sentPictures.emptyOwn')}
          text={t(box === 'in' ? 'sentPictures.emptyReceivedText' : 'sentPictures.emptyOwnText')}
        />
      )}
      <ul className={classes.entries}>
        {entries.map((entry) => (
          <SentEntry key={entry.id} entry={entry} box={box} onOpen={viewer.open} onAdd={(keys) => setAdding({ sentId: entry.id, keys })} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button variant="default" mt="md" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('sentPictures.more')}
        </Button>
      )}
      {viewer.shown && opened && (
        <Suspense fallback={<Opening image={opened} onClose={viewer.close} />}>
          <SentViewer
            images={images}
            shown={viewer.shown}
            isOwn={box === 'out'}
            more={(image) =>
              box === 'in' && (
                <ViewerButton label={t('library.addTo')} onClick={() => addOne(image)}>
                  <IconAlbum size={20} stroke={1.8} />
                </ViewerButton>
              )
            }
            onShow={viewer.show}
            onClose={viewer.close}
          />
        </Suspense>
      )}
      <Suspense>{adding && <AddToAlbum {...adding} onClose={() => setAdding(undefined)} />}</Suspense>
    </>
  );
}
