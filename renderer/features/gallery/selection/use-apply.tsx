import { Anchor } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useNotice } from '#renderer/components/notices/use-notice.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import type { TFunction } from '#renderer/i18n/t.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { amountOf, type BatchChange, type BatchTarget, useBatch } from '#renderer/images/list/batch.ts';
import { useUndo } from '#renderer/images/list/use-undo.tsx';
import { useWhoCanOpen } from '#renderer/service/reach.ts';
import { type Move, useAskToMove } from './use-ask-to-move.tsx';

type Named = Extract<BatchChange, { action: 'album_add' | 'album_remove' }> & { album: string };
/** A change other than deletion; changes of albums with the name of the album. */
export type Applied = Move | Named | Exclude<BatchChange, { action: 'trash' | 'purge' | 'move' | 'album_add' | 'album_remove' }>;

/**
 * Returns a function that changes images and reports the outcome. `onDone` is called right away if they aren't to stay selected: after a
 * move, and for sets, which may not contain the same images any more.
 */
export function useApply(target: BatchTarget, onDone: () => void) {
  const { t } = useTranslation();
  const format = useFormat();
  const notifyError = useNotifyError();
  const runBatch = useBatch();
  const notice = useNotice();
  const offerUndo = useUndo(notice);
  const navigate = useNavigate();
  const whoCanOpen = useWhoCanOpen();
  // Notifications are outside of the router, whose links wouldn't work there.
  const albumLink = (albumId: string) => (
    <Anchor
      href={`/albums/${albumId}`}
      onClick={(event) => {
        event.preventDefault();
        void navigate({ to: '/albums/$albumId', params: { albumId } });
      }}
    >
      {t('selection.openAlbum')}
    </Anchor>
  );
  const ask = useAskToMove(target);
  const run = (applied: Applied) => {
    const count = amountOf(target);
    const sets = target.sets.length > 0;
    if (sets || applied.action === 'move' || applied.action === 'album_remove') onDone();
    if (sets) notice.wait(t('selection.working', { count, formatted: format.number(count) }));
    // The bar with this hook is gone by the time that it is done.
    void runBatch({ target, change: changeOf(applied) }).then(({ processed, refused, error, done, undo: tokens }) => {
      notice.hide();
      if (refused) notifyError(error, t('library.changeFailed', { count: refused }));
      if (!processed) return;
      const amount = { count: processed, formatted: format.number(processed), who: whoCanOpen('public') };
      const title = sentenceOf(applied, t, amount, format);
      const album = (applied.action === 'move' || applied.action === 'album_add') && applied.album_id;
      // Only their owners could put the pictures of others back.
      const undone = processed > done.length && target.others && done.length > 0 ? t('members.undoOwn') : undefined;
      offerUndo(title, { tokens, action: applied.action, images: done, more: sets }, album ? albumLink(album) : undone);
    });
  };
  return (applied: Applied) => (applied.action === 'move' ? ask(applied, () => run(applied)) : run(applied));
}

function changeOf(applied: Applied): BatchChange {
  switch (applied.action) {
    case 'move':
      return { action: 'move', album_id: applied.album_id };
    case 'album_add':
    case 'album_remove':
      return { action: applied.action, album_id: applied.album_id };
    default:
      return applied;
  }
}

function sentenceOf(
  applied: Applied,
  t: TFunction,
  amount: { count: number; formatted: string; who: string },
  format: ReturnType<typeof useFormat>,
) {
  switch (applied.action) {
    case 'move':
      return applied.album_id === null ? t('selection.unfiled', amount) : t('selection.moved', { ...amount, album: applied.album ?? '' });
    case 'album_add':
      return t('selection.added', { ...amount, album: applied.album });
    case 'album_remove':
      return t('selection.removed', { ...amount, album: applied.album });
    case 'tag':
      return t(applied.mode === 'remove' ? 'selection.untagged' : 'selection.tagged', amount);
    case 'visibility':
      return t(applied.visibility === 'public' ? 'opened.published' : 'selection.hidden', amount);
    case 'favourite':
      return t(applied.favourite ? 'selection.favoured' : 'selection.unfavoured', amount);
    case 'date':
      return t('selection.dated', amount);
    case 'expiry':
      if (applied.expires_at !== undefined) return t('selection.expiringAt', { ...amount, date: format.moment(applied.expires_at) });
      return applied.expires_in
        ? t('selection.expiring', { ...amount, period: format.period(applied.expires_in) })
        : t('selection.lasting', amount);
  }
}
