import { ActionIcon, Badge, Button, Tooltip } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { Group } from '#api/admin/groups.ts';
import { allowsVideos } from '#api/formats.ts';
import { Facts } from '#renderer/components/layout/facts.tsx';
import shared from '#renderer/components/layout/rows.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { useAsk } from '../ask.tsx';
import { useChange } from '../use-change.ts';
import { useGivenName } from '../use-groups.ts';

export function GroupRow({ group, onEdit }: { group: Group; onEdit: () => void }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const ask = useAsk();
  const name = useGivenName()(group.name);
  const remove = useChange(() => client.call('DELETE /admin/groups/:id', { params: { id: group.id } }), {
    stale: ['groups', 'audit'],
    done: () => t('deleted', { name }),
  });
  const amount = (bytes: number) => (bytes ? format.bytes(bytes) : t('noLimit'));
  const { max_video_bytes: bytes, max_video_seconds: seconds } = group;
  const video = [bytes ? format.bytes(bytes) : '', seconds ? format.length(seconds) : ''].filter(Boolean);
  const facts = [
    group.kind === 'guest' ? t('groups.forGuests') : t('groups.members', { count: group.user_count }),
    t('groups.fileFact', { size: amount(group.max_file_bytes) }),
    ...(allowsVideos(group.allowed_exts)
      ? [t('groups.videoFact', { limits: format.list(video.length > 0 ? video : [t('noLimit')]) })]
      : []),
    t('groups.quotaFact', { size: amount(group.storage_quota_bytes) }),
  ];
  return (
    <li className={shared.row}>
      <div className={shared.rowText}>
        <h2>
          {name}
          {group.kind !== 'custom' && (
            <Badge variant="default" tt="none">
              {t(`groups.kinds.${group.kind}`)}
            </Badge>
          )}
        </h2>
        <Facts facts={facts} />
      </div>
      <div className={shared.actions}>
        <Button variant="default" size="xs" aria-label={t('editOne', { name })} onClick={onEdit}>
          {t('edit')}
        </Button>
        {group.kind === 'custom' && (
          <Tooltip label={t('delete')}>
            <ActionIcon
              variant="subtle"
              color="red"
              size="lg"
              aria-label={t('deleteOne', { name })}
              loading={remove.isPending}
              onClick={() =>
                ask({
                  title: t('deleteTitle', { name }),
                  text: t('groups.deleteText'),
                  confirm: t('delete'),
                  onConfirm: () => remove.mutate(undefined),
                })
              }
            >
              <IconTrash size={18} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
    </li>
  );
}
