import { Button, Collapse, MultiSelect, Radio, SegmentedControl, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconChevronDown, IconFolder } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { MAX_ALBUMS_AT_ONCE } from '#api/constants.ts';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import { DEFAULT_FOLDER_OPTIONS } from '#api/desktop/folder-defaults.ts';
import type { FolderOptions, WatchFolder } from '#api/desktop/folders.ts';
import { FormActions } from '#renderer/components/forms/form-actions.tsx';
import { FormatSelect } from '#renderer/components/forms/format-select.tsx';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { FormModal } from '#renderer/components/forms/unsaved.tsx';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { isServed } from '#renderer/platform/bridge.ts';
import { uploadAlbumsQuery } from '#renderer/service/desktop.ts';
import { useWhoCanOpen } from '#renderer/service/reach.ts';
import { FolderPreview } from './folder-preview.tsx';
import classes from './folders.module.css';
import { explainApp, previewQuery, useFolderActions } from './folders.ts';
import { showAppError } from './show-error.tsx';

/** Milliseconds after the last change until the preview is made again. */
const PREVIEW_DELAY = 300;

interface Props {
  bridge: DesktopBridge;
  path: string;
  /** The folder to change; without it, the form adds one. */
  folder?: WatchFolder;
  onClose: () => void;
}

interface FieldProps {
  options: FolderOptions;
  change(some: Partial<FolderOptions>): void;
}

/** A dialog for the options of a watch folder. It shows what will be uploaded before anything is. */
export function FolderForm({ bridge, path: first, folder, onClose }: Props) {
  const { t } = useTranslation();
  const [path, setPath] = useState(first);
  const [options, setOptions] = useState(folder?.options ?? DEFAULT_FOLDER_OPTIONS);
  const [shown] = useDebouncedValue(options, PREVIEW_DELAY);
  const [more, { toggle }] = useDisclosure(false);
  const preview = useQuery(previewQuery(bridge, path, shown, folder?.id));
  const actions = useFolderActions(bridge);
  const saving = folder ? actions.change : actions.add;
  const change = (some: Partial<FolderOptions>) => setOptions((before) => ({ ...before, ...some }));
  const changed = JSON.stringify(options) !== JSON.stringify(folder?.options ?? DEFAULT_FOLDER_OPTIONS);
  const unnamed = options.after.kind === 'move' && !options.after.to.trim();

  function save() {
    const then = { onSuccess: onClose };
    if (folder) actions.change.mutate({ id: folder.id, options }, then);
    else actions.add.mutate({ path, options }, then);
  }
  const choose = async () => setPath((await bridge.chooseFolder()) ?? path);

  const fields = { options, change };
  return (
    <FormModal opened changed={changed} onClose={onClose} title={t(folder ? 'folders.editTitle' : 'folders.addTitle')} size="lg">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!unnamed && !saving.isPending) save();
        }}
      >
        <Stack gap="lg">
          {saving.error && <ErrorNotice explanation={explainApp(saving.error)} />}
          <div className={classes.chosen}>
            <IconFolder size={22} stroke={1.5} aria-hidden />
            <span>{path}</span>
            {!folder && (
              <Button variant="subtle" size="compact-sm" onClick={() => void choose().catch(showAppError)}>
                {t('folders.other')}
              </Button>
            )}
          </div>
          <Existing {...fields} count={preview.data?.count} />
          <FolderPreview preview={preview} existing={options.existing} isNew={!folder} />
          <Where bridge={bridge} {...fields} />
          <Review {...fields} />
          <Afterwards {...fields} />
          <div>
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              aria-expanded={more}
              rightSection={<IconChevronDown size={16} className={classes.chevron} data-open={more || undefined} aria-hidden />}
              onClick={toggle}
            >
              {t('folders.moreOptions')}
            </Button>
            <Collapse expanded={more}>
              <More {...fields} />
            </Collapse>
          </div>
          <FormActions
            submit={t(folder ? 'folders.save' : 'folders.start')}
            onClose={onClose}
            loading={saving.isPending}
            disabled={preview.isError && !folder}
          />
        </Stack>
      </form>
    </FormModal>
  );
}

function Existing({ options: { existing, recursive }, change, count }: FieldProps & { count: number | undefined }) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm">
      <Radio.Group label={t('folders.which')} value={existing ? 'all' : 'new'} onChange={(value) => change({ existing: value === 'all' })}>
        <Stack gap="xs" mt="xs">
          <Radio value="new" label={t('folders.onlyNew')} />
          <Radio value="all" label={!count ? t('folders.existingToo') : t('folders.existingCount', { count })} />
        </Stack>
      </Radio.Group>
      <Switch label={t('folders.recursive')} checked={recursive} onChange={(event) => change({ recursive: event.currentTarget.checked })} />
    </Stack>
  );
}

function Where({ bridge, options, change }: FieldProps & { bridge: DesktopBridge }) {
  const { t } = useTranslation();
  const whoCanOpen = useWhoCanOpen();
  return (
    <>
      {/* Albums need more rights than a joined host gives. */}
      {isServed() && <AlbumField bridge={bridge} options={options} change={change} />}
      <Labelled label={t('folders.visibility')}>
        {(label) => (
          <SegmentedControl<FolderOptions['visibility']>
            fullWidth
            aria-labelledby={label}
            value={options.visibility}
            onChange={(next) => change({ visibility: next })}
            data={[
              { value: 'private', label: whoCanOpen('private') },
              { value: 'public', label: whoCanOpen('public') },
            ]}
          />
        )}
      </Labelled>
    </>
  );
}

/** Stands for an album per subfolder; no id looks like it. */
const PER_FOLDER = '/';

function AlbumField({ bridge, options: { album }, change }: FieldProps & { bridge: DesktopBridge }) {
  const { t } = useTranslation();
  const { data: albums } = useQuery(uploadAlbumsQuery(bridge));
  const own = albums?.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  const fixed = album.kind === 'fixed' ? album.ids.filter((id) => own.some(({ value }) => value === id)) : [];
  const value = album.kind === 'perFolder' ? [PER_FOLDER] : fixed;
  return (
    <MultiSelect
      label={t('folders.albums')}
      placeholder={value.length > 0 ? undefined : t('library.noAlbum')}
      searchable
      maxValues={MAX_ALBUMS_AT_ONCE}
      value={value}
      onChange={(next) => {
        // One per subfolder, or some for all: the latest choice.
        const ids = next.filter((id) => id !== PER_FOLDER);
        if (next.at(-1) === PER_FOLDER) change({ album: { kind: 'perFolder' } });
        else change({ album: ids.length > 0 ? { kind: 'fixed', ids } : { kind: 'none' } });
      }}
      data={[
        { value: PER_FOLDER, label: t('folders.albumPerFolder') },
        ...(own.length > 0 ? [{ group: t('nav.albums'), items: own }] : []),
      ]}
    />
  );
}

/** Whether new pictures are looked at before they are uploaded. */
function Review({ options: { review }, change }: FieldProps) {
  const { t } = useTranslation();
  return (
    <Labelled label={t('folders.review')}>
      {(label) => (
        <SegmentedControl<FolderOptions['review']>
          fullWidth
          aria-labelledby={label}
          value={review}
          onChange={(next) => change({ review: next })}
          data={(['upload', 'edit', 'ask'] as const).map((value) => ({ value, label: t(`capture.after.${value}`) }))}
        />
      )}
    </Labelled>
  );
}

function Afterwards({ options: { after }, change }: FieldProps) {
  const { t } = useTranslation();
  const isNarrow = useMediaQuery('(max-width: 30em)', undefined, { getInitialValueInEffect: false });
  return (
    <Stack gap="sm">
      <Labelled label={t('folders.after')}>
        {(label) => (
          <SegmentedControl<FolderOptions['after']['kind']>
            fullWidth
            orientation={isNarrow ? 'vertical' : 'horizontal'}
            aria-labelledby={label}
            value={after.kind}
            onChange={(kind) => change({ after: kind === 'move' ? { kind, to: t('folders.moveTo') } : { kind } })}
            data={(['keep', 'move', 'trash'] as const).map((kind) => ({ value: kind, label: t(`folders.afters.${kind}`) }))}
          />
        )}
      </Labelled>
      {after.kind === 'move' && (
        <TextInput
          label={t('folders.subfolder')}
          value={after.to}
          maxLength={100}
          error={/^[^/\\:*?"<>|]*[^/\\:*?"<>|. ]$/.test(after.to) ? undefined : t('folders.subfolderWrong')}
          onChange={(event) => change({ after: { kind: 'move', to: event.currentTarget.value } })}
        />
      )}
      {after.kind === 'trash' && (
        <Text size="sm" c="dimmed">
          {t('folders.trashHint')}
        </Text>
      )}
    </Stack>
  );
}

function More({ options: { convert, include, ignore, poll, copyLinks }, change }: FieldProps) {
  const { t } = useTranslation();
  const tags = { maxTags: 50, acceptValueOnBlur: true, clearable: true };
  return (
    <Stack gap="md" pt="sm">
      <FormatSelect
        label={t('batch.format')}
        description={t('batch.formatHint')}
        value={convert}
        onChange={(value) => change({ convert: value })}
      />
      <TagsInput
        {...tags}
        label={t('folders.include')}
        description={t('folders.includeHint')}
        placeholder={include.length ? undefined : t('folders.allPictures')}
        value={include}
        onChange={(value) => change({ include: value })}
      />
      <TagsInput
        {...tags}
        label={t('folders.ignore')}
        description={t('folders.ignoreHint')}
        placeholder={ignore.length ? undefined : 'drafts, *-small.*'}
        value={ignore}
        onChange={(value) => change({ ignore: value })}
      />
      <Switch
        label={t('folders.poll')}
        description={t('folders.pollHint')}
        checked={poll}
        onChange={(event) => change({ poll: event.currentTarget.checked })}
      />
      <Switch
        label={t('folders.copyLinks')}
        description={t('folders.copyLinksHint')}
        checked={copyLinks}
        onChange={(event) => change({ copyLinks: event.currentTarget.checked })}
      />
    </Stack>
  );
}

function Labelled({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div>
      <Text size="sm" fw={500} mb={4} id={id}>
        {label}
      </Text>
      {children(id)}
    </div>
  );
}
