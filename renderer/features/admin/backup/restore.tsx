import { Button, FileButton, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import type { BackupSummary, chooseRestore } from '#api/admin/backup.ts';
import { addressOf, NetworkError, readEnvelope } from '#api/client.ts';
import type { RouteInput } from '#api/contract.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { useAsk } from '../ask.tsx';
import { useChange } from '../use-change.ts';

type Source = RouteInput<typeof chooseRestore>['body'];

/** Sends the archive as the body, which the typed client can't. */
async function sendArchive(file: File): Promise<BackupSummary> {
  const response = await fetch(addressOf('POST /admin/restore', {}), {
    method: 'POST',
    headers: { 'content-type': 'application/x-tar' },
    body: file,
  }).catch((error: unknown) => {
    throw new NetworkError('The archive could not be sent.', { cause: error });
  });
  return (await readEnvelope(response)) as BackupSummary;
}

/** Asks for confirmation, then has the service check the backup that it restores at its next start. */
export function useRestore() {
  const { t } = useTranslation('admin');
  const ask = useAsk();
  const options = { stale: ['backup', 'audit'], done: () => t('backup.checked') };
  const chosen = useChange((body: Source) => client.call('POST /admin/restore/choose', { body }), options);
  const sent = useChange(sendArchive, options);
  const question = (onConfirm: () => void) =>
    ask({ title: t('backup.restoreTitle'), text: t('backup.restoreText'), confirm: t('backup.restoreConfirm'), onConfirm });
  return {
    isSending: sent.isPending,
    choose: (source: Source) => question(() => chosen.mutate(source)),
    send: (file: File) => question(() => sent.mutate(file)),
  };
}

export function RestoreUpload() {
  const { t } = useTranslation('admin');
  const { send, isSending } = useRestore();
  return (
    <div>
      <FileButton accept=".tar,application/x-tar" onChange={(file) => file && send(file)}>
        {(props) => (
          <Button {...props} variant="default" leftSection={<IconUpload size={18} />} loading={isSending}>
            {t('backup.chooseArchive')}
          </Button>
        )}
      </FileButton>
      <Text size="xs" c="dimmed" mt={6}>
        {t('backup.chooseArchiveHint')}
      </Text>
    </div>
  );
}
