import { Progress } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AdminUser } from '#api/admin/users.ts';
import { TRASH_DAYS } from '#api/constants.ts';
import { DAY_MS } from '#api/durations.ts';
import shared from '#renderer/components/layout/rows.module.css';
import { useFormat } from '#renderer/i18n/format.ts';

type Deletion = NonNullable<AdminUser['deletion']>;

/** Whether an account's pictures are still being moved. */
export const isMoving = ({ to, images_left }: Deletion) => to !== null || images_left > 0;

/** How far along the deletion of an account is, or until when its pictures stay in the trash. */
export function DeletionProgress({ deletion, trashCount }: { deletion: Deletion; trashCount: number }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { to, image_count: all, images_left, started_at } = deletion;
  if (!isMoving(deletion)) {
    const date = format.date(new Date(Date.parse(started_at) + TRASH_DAYS * DAY_MS).toISOString());
    return <p className={shared.facts}>{t('deletion.inTrash', { count: trashCount, formatted: format.number(trashCount), date })}</p>;
  }
  const done = Math.max(0, all - images_left);
  const numbers = { done: format.number(done), all: format.number(all) };
  const line = to ? t('deletion.moving', { ...numbers, name: to.username }) : t('deletion.trashing', numbers);
  return (
    <>
      <p className={shared.facts}>{line}</p>
      <Progress size={4} mt={4} maw="24rem" value={all ? (100 * done) / all : 100} aria-label={line} />
    </>
  );
}
