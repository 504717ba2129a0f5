import { ActionIcon, Button, Text, Tooltip } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import type { getBackups } from '#api/admin/backup.ts';
import { addressOf } from '#api/client.ts';
import type { RouteData } from '#api/contract.ts';
import shared from '#renderer/components/layout/rows.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { useAsk } from '../ask.tsx';
import { useChange } from '../use-change.ts';
import { useRestore } from './restore.tsx';

type BackupFile = RouteData<typeof getBackups>['files'][number];

export function BackupFiles({ files }: { files: readonly BackupFile[] }) {
  const { t } = useTranslation('admin');
  return (
    <>
      {files.length ? (
        <ul className={shared.rows} aria-label={t('backup.files')}>
          {files.map((file) => (
            <FileRow key={file.name} file={file} />
          ))}
        </ul>
      ) : (
        <Text size="sm" c="dimmed">
          {t('backup.none')}
        </Text>
      )}
      <div>
        <Button
          component="a"
          variant="default"
          size="xs"
          href={addressOf('GET /admin/backup/stream', {})}
          download
          leftSection={<IconDownload size={16} />}
        >
          {t('backup.stream')}
        </Button>
        <Text size="xs" c="dimmed" mt={6}>
          {t('backup.streamHint')}
        </Text>
      </div>
    </>
  );
}

function FileRow({ file }: { file: BackupFile }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const ask = useAsk();
  const { choose } = useRestore();
  const remove = useChange(() => client.call('DELETE /admin/backup/files/:name', { params: { name: file.name } }), {
    stale: ['backup', 'audit', 'space'],
    done: () => t('deleted', { name: file.name }),
  });
  return (
    <li className={shared.row}>
      <div className={shared.rowText}>
        <h3>{format.moment(file.created_at)}</h3>
        <p className={shared.facts}>{`${file.name} · ${format.bytes(file.size)}`}</p>
      </div>
      <div className={shared.actions}>
        <Button
          variant="default"
          size="xs"
          aria-label={t('backup.restoreOne', { name: file.name })}
          onClick={() => choose({ name: file.name })}
        >
          {t('backup.restoreShort')}
        </Button>
        <Tooltip label={t('backup.download')}>
          <ActionIcon
            component="a"
            variant="subtle"
            size="lg"
            href={addressOf('GET /admin/backup/files/:name', { params: { name: file.name } })}
            download={file.name}
            aria-label={t('backup.downloadOne', { name: file.name })}
          >
            <IconDownload size={18} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={t('delete')}>
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            aria-label={t('deleteOne', { name: file.name })}
            onClick={() =>
              ask({
                title: t('deleteTitle', { name: file.name }),
                text: t('backup.deleteText'),
                confirm: t('delete'),
                onConfirm: () => remove.mutate(undefined),
              })
            }
          >
            <IconTrash size={18} />
          </ActionIcon>
        </Tooltip>
      </div>
    </li>
  );
}
