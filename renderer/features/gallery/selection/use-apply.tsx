import { Anchor } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useNotice } from '#renderer/components/notices/use-notice.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { amountOf, type BatchChange, type BatchTarget, useBatch } from '#renderer/images/list/batch.ts';
import { type Move, useAskToMove } from './use-ask-to-move.tsx';
import { useUndo } from './use-undo.tsx';

/** A change other than deletion. */
export type Applied = Move | Exclude<BatchChange, { action: 'trash' | 'purge' | 'move' }>;

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
    if (sets || applied.action === 'move') onDone();
    if (sets) notice.wait(t('selection.working', { count, formatted: format.number(count) }));
    // The bar with this hook is gone by the time that it is done.
    void runBatch({ target, change: changeOf(applied) }).then(({ processed, refused, error, done, undo: tokens }) => {
      notice.hide();
      if (refused) notifyError(error, t('library.changeFailed', { count: refused }));
      if (!processed) return;
      const title = sentenceOf(applied, t, { count: processed, formatted: format.number(processed) }, format.period);
      const album = applied.action === 'move' && applied.album_id;
      offerUndo(title, { tokens, action: applied.action, images: done, more: sets }, album ? albumLink(album) : undefined);
    });
  };
  return (applied: Applied) => (applied.action === 'move' ? ask(applied, () => run(applied)) : run(applied));
}

function changeOf(applied: Applied): BatchChange {
  return applied.action === 'move' ? { action: 'move', album_id: applied.album_id } : applied;
}

function sentenceOf(applied: Applied, t: TFunction, amount: { count: number; formatted: string }, period: (seconds: number) => string) {
  switch (applied.action) {
    case 'move':
      return applied.album_id === null ? t('selection.unfiled', amount) : t('selection.moved', { ...amount, album: applied.album ?? '' });
    case 'tag':
      return t(applied.mode === 'remove' ? 'selection.untagged' : 'selection.tagged', amount);
    case 'visibility':
      return t(applied.visibility === 'public' ? 'selection.published' : 'selection.hidden', amount);
    case 'favourite':
      return t(applied.favourite ? 'selection.favoured' : 'selection.unfavoured', amount);
    case 'expiry':
      return applied.expires_in === 0
        ? t('selection.lasting', amount)
        : t('selection.expiring', { ...amount, period: period(applied.expires_in) });
  }
}
