import { Alert, SegmentedControl, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AccountChoice } from '#api/desktop/account.ts';
import type { AfterCapture } from '#api/desktop/preferences.ts';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Setting } from '../setting.tsx';
import { accountsQuery } from './desktop.ts';
import type { SectionProps } from './section.ts';

const OWNER = 'owner';

/** The account that the tray, the shortcut and editors upload with, regardless of who is signed in to the window. */
export function UploadAccount({ bridge, preferences: { account }, change }: SectionProps) {
  const { t } = useTranslation();
  const { data: accounts } = useQuery(accountsQuery(bridge));
  if (!accounts) return null;
  const chosen = accounts.find(({ id, is_owner }) => (account === null ? is_owner : id === account));
  const label = ({ username, is_owner, disabled }: AccountChoice) => {
    if (is_owner) return t('computer.accountOwner', { name: username });
    return disabled ? t('computer.accountDisabled', { name: username }) : username;
  };
  return (
    <Setting title={t('computer.account')} hint={t('computer.accountHint')}>
      {(id) => (
        <>
          <Select
            aria-labelledby={id}
            allowDeselect={false}
            searchable={accounts.length > 8}
            nothingFoundMessage={t('computer.accountNotFound')}
            placeholder={t('computer.accountGone')}
            value={chosen ? idOf(chosen) : null}
            onChange={(value) => value !== null && change({ account: value === OWNER ? null : Number(value) })}
            data={accounts.map((choice) => ({
              value: idOf(choice),
              label: label(choice),
              disabled: choice.disabled && choice !== chosen,
            }))}
          />
          {(!chosen || chosen.disabled) && (
            <Alert color="yellow" mt="sm" p="sm" role="status">
              {t(chosen ? 'computer.accountIsDisabled' : 'computer.accountIsGone')}
            </Alert>
          )}
        </>
      )}
    </Setting>
  );
}

function idOf({ id, is_owner }: AccountChoice) {
  return is_owner ? OWNER : String(id);
}

/** Whether copied pictures are uploaded automatically. */
export function ClipboardWatching({ preferences: { watchClipboard, clipboardWatchable }, change }: SectionProps) {
  const { t } = useTranslation();
  return (
    <Setting title={t('capture.watch')} hint={t('capture.watchHint')}>
      {(label) => (
        <>
          <Switch
            aria-labelledby={label}
            size="md"
            checked={watchClipboard && clipboardWatchable}
            disabled={!clipboardWatchable}
            onChange={(event) => change({ watchClipboard: event.currentTarget.checked })}
          />
          {!clipboardWatchable && (
            <Alert color="gray" mt="sm" p="sm">
              {t('capture.watchUnavailable')}
            </Alert>
          )}
        </>
      )}
    </Setting>
  );
}

const TRIGGERS = ['afterCapture', 'afterRecording', 'afterClipboard', 'afterDrop'] as const;
const CHOICES: readonly AfterCapture[] = ['upload', 'edit', 'ask'];

/** Whether new pictures are uploaded at once, or only after the user has seen them. */
export function NewPictures({ bridge, preferences, change }: SectionProps) {
  const { t } = useTranslation();
  const key = bridge.platform === 'darwin' ? '⌥' : 'Alt';
  return (
    <Setting title={t('capture.newPictures')} hint={t('capture.newPicturesHint', { key })}>
      {(label) =>
        TRIGGERS.map((trigger, index) => (
          <div key={trigger}>
            <Text size="sm" mt={index > 0 ? 'md' : undefined} id={`${label}-${trigger}`}>
              {t(`capture.${trigger}`)}
            </Text>
            <SegmentedControl<AfterCapture>
              fullWidth
              mt={4}
              aria-labelledby={`${label}-${trigger}`}
              value={preferences[trigger]}
              onChange={(value) => change({ [trigger]: value })}
              data={CHOICES.map((value) => ({ value, label: t(`capture.after.${value}`) }))}
            />
          </div>
        ))
      }
    </Setting>
  );
}
