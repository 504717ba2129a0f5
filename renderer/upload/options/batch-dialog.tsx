import { Checkbox, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { FormFields } from '#api/images/upload.ts';
import { expiryProblem } from '#renderer/components/forms/expiries.ts';
import { FormDialog } from '#renderer/components/forms/form.tsx';
import { useMaxExpiry } from '#renderer/components/forms/use-expiry.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { desktopBridge } from '#renderer/platform/bridge.ts';
import { type Incoming, MAX_FILES, type NamedFile } from '#renderer/upload/incoming.ts';
import { type FolderAlbums, groupByFolder } from './folders.ts';
import { OptionFields } from './option-fields.tsx';
import { lacksName } from './options.ts';
import { useBatchForm, useResolveAlbums } from './use-batch-form.ts';

interface Props {
  incoming: Incoming;
  user: number | undefined;
  /** The album of the page. */
  target: string | undefined;
  /** Whether to show the options; without, only the question about folders. */
  withOptions: boolean;
  onStart: (groups: { files: NamedFile[]; fields: FormFields }[]) => Promise<void>;
  onClose: () => void;
}

/** Asks for the options of a batch before it begins, and which albums to create for dropped folders. */
export function BatchDialog({ incoming: { files, isCut }, user, target, withOptions, onStart, onClose }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const form = useBatchForm({ user, target, count: files.length });
  const folders = [...new Set(files.flatMap(({ folder }) => folder?.[0] ?? []))];
  const [albums, setAlbums] = useState<FolderAlbums>(folders.length && target === undefined ? 'one' : 'none');
  const groups = groupByFolder(files, albums);
  const change = useResolveAlbums(async (resolved) => {
    await onStart(groups.map((group, index) => ({ files: group.files, fields: resolved[index]?.fields ?? {} })));
    onClose();
  });
  const { options } = form;
  const isNameless = lacksName(options) && albums === 'none';
  const max = useMaxExpiry();
  const isUntimely = withOptions && expiryProblem(options.expiresIn, max) !== undefined;
  const names = files.map(({ name }) => name);
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  return (
    <FormDialog
      title={t('batch.title', { count: files.length, formatted: format.number(files.length) })}
      submit={t('nav.upload')}
      size="lg"
      change={change}
      changed={form.changed}
      onClose={onClose}
      onSubmit={() =>
        !isNameless &&
        !isUntimely &&
        !form.addressProblem &&
        change.mutate({ options, titles: groups.map(({ title }) => title), keep: form.keep })
      }
    >
      <Text size="sm" c="dimmed">
        {[firstOf(3, names, format.list), format.bytes(bytes), isCut && t('batch.cut', { max: format.number(MAX_FILES) })]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      {folders.length > 0 && <FolderChoice files={files} folders={folders} value={albums} onChange={setAlbums} />}
      {withOptions && (
        <OptionFields
          options={options}
          onChange={form.edit}
          count={files.length}
          addressProblem={form.addressProblem}
          withoutAlbum={albums !== 'none'}
        />
      )}
      {withOptions && (
        <Stack gap="xs">
          <Checkbox
            label={t(desktopBridge() ? 'uploads.rememberInApp' : 'batch.remember')}
            description={t('batch.rememberHint')}
            checked={form.remember}
            onChange={(event) => form.setRemember(event.currentTarget.checked)}
          />
          <Checkbox label={t('batch.ask')} checked={form.ask} onChange={(event) => form.setAsk(event.currentTarget.checked)} />
        </Stack>
      )}
    </FormDialog>
  );
}

/** The first of some names. */
const firstOf = (max: number, names: readonly string[], list: ReturnType<typeof useFormat>['list']) =>
  list(names.slice(0, max)) + (names.length > max ? '…' : '');

interface FolderProps {
  files: readonly NamedFile[];
  folders: readonly string[];
  value: FolderAlbums;
  onChange: (value: FolderAlbums) => void;
}

function FolderChoice({ files, folders, value, onChange }: FolderProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const inner = groupByFolder(files, 'each').flatMap(({ title }) => title ?? []);
  const list = (titles: readonly string[]) => firstOf(5, titles, format.list);
  return (
    <Radio.Group
      label={folders.length > 1 ? t('batch.foldersAsk') : t('batch.folderAsk', { folder: folders[0] ?? '' })}
      value={value}
      onChange={(chosen) => onChange(chosen as FolderAlbums)}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="one" label={t(folders.length > 1 ? 'batch.foldersOne' : 'batch.folderOne')} description={list(folders)} />
        {inner.length > folders.length && (
          <Radio value="each" label={t('batch.folderEach', { count: inner.length })} description={list(inner)} />
        )}
        <Radio value="none" label={t('batch.folderNone')} />
      </Stack>
    </Radio.Group>
  );
}
