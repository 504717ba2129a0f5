import { Button, Group, NumberInput, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { BackupSchedule } from '#api/admin/backup.ts';
import { useDraft } from '#renderer/components/forms/form.tsx';
import { Unsaved } from '#renderer/components/forms/unsaved.tsx';
import shared from '#renderer/components/layout/rows.module.css';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { useExplain } from '#renderer/service/explain.ts';
import classes from '../admin.module.css';
import { useChange } from '../use-change.ts';
import { useRestore } from './restore.tsx';

const RHYTHMS = [
  { hours: 6, label: 'backup.every6' },
  { hours: 24, label: 'backup.daily' },
  { hours: 168, label: 'backup.weekly' },
] as const;

/** Scheduled backups. */
export function Schedule({ saved, snapshots }: { saved: BackupSchedule | null; snapshots: readonly string[] }) {
  const { t } = useTranslation('admin');
  const explain = useExplain();
  const change = useChange((schedule: BackupSchedule | null) => client.call('PUT /admin/backup/schedule', { body: { schedule } }), {
    stale: ['backup', 'audit'],
    done: (_, schedule) => t(schedule ? 'backup.scheduled' : 'backup.unscheduled'),
    after: () => reset(draft),
    quiet: true,
  });
  const { draft, changed, reset, edit, fault, text } = useDraft<BackupSchedule>(
    saved ?? { folder: '', every_hours: 24, keep: 7 },
    change.error,
  );
  // The report of a restore turns the schedule on, too.
  const [known, setKnown] = useState(saved);
  if (saved !== known) {
    setKnown(saved);
    if (saved && !changed) reset(saved);
  }
  const run = useChange(() => client.call('POST /admin/backup/schedule/run', {}), {
    stale: ['backup', 'audit'],
    done: () => t('backup.made'),
  });
  const rhythms: { value: string; label: string }[] = RHYTHMS.map(({ hours, label }) => ({ value: String(hours), label: t(label) }));
  if (!RHYTHMS.some(({ hours }) => hours === draft.every_hours))
    rhythms.push({ value: String(draft.every_hours), label: t('backup.everyHours', { count: draft.every_hours }) });
  return (
    <>
      <Unsaved when={changed} />
      <Text size="sm" fw={600}>
        {t(saved ? 'backup.stateOn' : 'backup.stateOff')}
      </Text>
      {change.error !== null && <ErrorNotice explanation={explain(change.error)} />}
      <TextInput
        label={t('backup.folder')}
        description={t('backup.folderHint')}
        placeholder="/mnt/backup/pixdock"
        spellCheck={false}
        {...text('folder')}
        error={fault('schedule.folder')}
      />
      <div className={classes.pair}>
        <Select
          label={t('backup.rhythm')}
          allowDeselect={false}
          value={String(draft.every_hours)}
          onChange={(hours) => edit({ every_hours: Number(hours) })}
          data={rhythms}
        />
        <NumberInput
          label={t('backup.keep')}
          min={1}
          max={100}
          value={draft.keep}
          error={fault('schedule.keep')}
          onChange={(keep) => edit({ keep: Number(keep) || 1 })}
          hideControls
        />
      </div>
      <Group>
        <Button variant="default" loading={change.isPending} disabled={!draft.folder.trim()} onClick={() => change.mutate(draft)}>
          {t('backup.saveSchedule')}
        </Button>
        {saved && (
          <>
            <Button variant="default" loading={run.isPending} onClick={() => run.mutate(undefined)}>
              {t('backup.runNow')}
            </Button>
            <Button variant="subtle" onClick={() => change.mutate(null)}>
              {t('backup.endSchedule')}
            </Button>
          </>
        )}
      </Group>
      {saved && <Snapshots names={snapshots} />}
    </>
  );
}

function Snapshots({ names }: { names: readonly string[] }) {
  const { t } = useTranslation('admin');
  const { choose } = useRestore();
  if (!names.length)
    return (
      <Text size="sm" c="dimmed">
        {t('backup.noSnapshots')}
      </Text>
    );
  return (
    <ul className={shared.rows} aria-label={t('backup.snapshots')}>
      {names.map((name) => (
        <li key={name} className={shared.row}>
          <span className={shared.rowText}>{name}</span>
          <Button variant="default" size="xs" aria-label={t('backup.restoreOne', { name })} onClick={() => choose({ snapshot: name })}>
            {t('backup.restoreShort')}
          </Button>
        </li>
      ))}
    </ul>
  );
}
