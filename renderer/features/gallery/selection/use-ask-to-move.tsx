import { List, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useQueryClient } from '@tanstack/react-query';
import { albumsQuery } from '#renderer/albums/albums.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { amountOf, type BatchChange, type BatchTarget } from '#renderer/images/list/batch.ts';
import { countByAlbum } from '#renderer/images/list/count.ts';
import { ASK_FROM } from './use-trash.tsx';

/** A move, with the name of the album to move to. */
export type Move = Extract<BatchChange, { action: 'move' }> & { album?: string | undefined };

/** Albums that are named; the others are counted. */
const NAMED = 8;

/** Returns a function that moves at once, or asks first where many pictures leave other albums. */
export function useAskToMove(target: BatchTarget) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const notifyError = useNotifyError();
  const sentence = (count: number) => ({ count, formatted: format.number(count) });

  async function ask({ album_id, album = '' }: Move, onMove: () => void) {
    const [counts, albums] = await Promise.all([
      countByAlbum(target, album_id === null ? 'album' : 'first_album'),
      queryClient.fetchQuery(albumsQuery),
    ]);
    const left = albums.flatMap(({ id, name, visibility }) => {
      const count = id === album_id ? 0 : (counts.get(id) ?? 0);
      return count > 0 ? [{ id, name, count, isPublic: visibility === 'public' }] : [];
    });
    if (left.length === 0) return onMove();
    // Public albums first: others notice.
    left.sort((one, other) => Number(other.isPublic) - Number(one.isPublic) || other.count - one.count);
    const rest = left.slice(NAMED);
    modals.openConfirmModal({
      title:
        album_id === null
          ? t('moving.unfileTitle', sentence(amountOf(target)))
          : t('moving.moveTitle', { ...sentence(amountOf(target)), album }),
      children: (
        <>
          <Text size="sm">{t('moving.leaving')}</Text>
          <List size="sm" my="xs">
            {left.slice(0, NAMED).map(({ id, name, count, isPublic }) => (
              <List.Item key={id}>{t(isPublic ? 'moving.leavesPublic' : 'moving.leaves', { ...sentence(count), name })}</List.Item>
            ))}
            {rest.length > 0 && <List.Item>{t('moving.leavesMore', sentence(rest.length))}</List.Item>}
          </List>
          {left.some(({ isPublic }) => isPublic) && <Text size="sm">{t('moving.leavingPublic')}</Text>}
        </>
      ),
      labels: { confirm: t(album_id === null ? 'moving.unfile' : 'moving.move'), cancel: t('common.cancel') },
      onConfirm: onMove,
    });
  }

  return (move: Move, onMove: () => void) => {
    if (amountOf(target) < ASK_FROM) return onMove();
    void ask(move, onMove).catch(notifyError);
  };
}
