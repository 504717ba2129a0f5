import { Alert, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { BackupDrill } from '#api/admin/backup.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import classes from '../admin.module.css';

/** Whether the latest automatic backup can be restored, as its trial showed. */
export function Drill({ drill }: { drill: BackupDrill | null }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  if (!drill) return null;
  const passed = drill.fault === null;
  const facts = {
    date: format.moment(drill.finished_at),
    duration: format.duration(drill.seconds),
    formatted: format.number(drill.blobs),
    size: format.bytes(drill.bytes),
    reason: drill.fault ?? '',
  };
  return (
    <Alert
      color={passed ? 'teal' : 'red'}
      variant="light"
      role={passed ? 'status' : 'alert'}
      title={t(passed ? 'drill.passed' : 'drill.failed')}
      classNames={{ title: classes.plain }}
    >
      <Text size="sm">{t(passed ? 'drill.passedText' : 'drill.failedText', facts)}</Text>
    </Alert>
  );
}
