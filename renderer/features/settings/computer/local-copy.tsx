import { Button, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { COPY_PLACEHOLDERS, copyPathOf, MAX_COPY_NAME_LENGTH, unknownInCopyName } from '#api/desktop/copy-name.ts';
import type { Preferences } from '#api/desktop/preferences.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { Setting } from '#renderer/features/settings/setting.tsx';
import classes from '#renderer/features/settings/settings.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { desktopQuery } from '#renderer/service/desktop.ts';
import type { SectionProps } from './section.ts';

/** Milliseconds after the last key press until a name is saved. */
const SAVE_DELAY = 400;
const CHOICES: readonly Preferences['localCopy'][] = ['none', 'captures', 'uploads'];

/** Whether uploads are also saved in a folder, which one, and what the files are called. */
export function LocalCopy({ bridge, preferences: { localCopy, localCopyName, localCopyPlace }, change }: SectionProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const notifyError = useNotifyError();
  const choose = useMutation({
    mutationFn: () => bridge.chooseCopyFolder(),
    onSuccess: (state) => queryClient.setQueryData(desktopQuery(bridge).queryKey, state),
    onError: (error) => notifyError(error),
  });
  return (
    <Setting title={t('capture.localCopy')} hint={t('capture.localCopyHint')}>
      {(label) => (
        <>
          <SegmentedControl<Preferences['localCopy']>
            fullWidth
            aria-labelledby={label}
            value={localCopy}
            onChange={(value) => change({ localCopy: value })}
            data={CHOICES.map((value) => ({ value, label: t(`capture.localCopies.${value}`) }))}
          />
          <Text size="xs" c="dimmed" mt={4}>
            {t('capture.localCopiesHint')}
          </Text>
          {localCopy !== 'none' && (
            <>
              <div className={classes.copyLine}>
                <code className={classes.example}>{localCopyPlace}</code>
                <Button variant="default" size="sm" loading={choose.isPending} onClick={() => choose.mutate()}>
                  {t('capture.chooseFolder')}
                </Button>
              </div>
              <CopyName stored={localCopyName} save={(name) => change({ localCopyName: name })} />
            </>
          )}
        </>
      )}
    </Setting>
  );
}

function CopyName({ stored, save }: { stored: string; save(name: string): void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [name, setName] = useState(stored);
  const saveSoon = useDebouncedCallback(save, { delay: SAVE_DELAY, flushOnUnmount: true });
  const [now] = useState(() => new Date());
  const unknown = unknownInCopyName(name);
  const problem = !name.trim()
    ? t('capture.templateEmpty')
    : unknown.length > 0 && t('capture.unknownPlaceholders', { unknown: format.list(unknown) });
  const path = copyPathOf(name, { at: now, app: t('capture.copySample'), name: 'clipboard.png' }, 1).join('/');
  return (
    <>
      <TextInput
        mt="sm"
        label={t('capture.copyName')}
        description={t('capture.copyNameHint', { placeholders: COPY_PLACEHOLDERS.map((word) => `{${word}}`).join(' ') })}
        classNames={{ input: classes.code ?? '' }}
        error={problem}
        maxLength={MAX_COPY_NAME_LENGTH}
        spellCheck={false}
        value={name}
        onChange={({ currentTarget: { value } }) => {
          setName(value);
          if (value.trim() && unknownInCopyName(value).length === 0) saveSoon(value);
        }}
      />
      {!problem && (
        <Text size="xs" c="dimmed" mt={4} component="output">
          {t('capture.copyNameExample', { path })}
        </Text>
      )}
    </>
  );
}
