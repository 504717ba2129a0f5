import { Alert, SegmentedControl, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CAPTURE_DELAYS } from '#api/desktop/capture.ts';
import type { ShortcutState } from '#api/desktop/preferences.ts';
import { CopyButton } from '#renderer/components/copying/copy-button.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Setting } from '../setting.tsx';
import classes from '../settings.module.css';
import type { SectionProps } from './section.ts';
import { ShortcutField } from './shortcut-field.tsx';

const keyboardOf = ({ bridge: { platform }, preferences: { portalShortcuts } }: SectionProps) => ({ platform, isPortal: portalShortcuts });

/** The global shortcut that uploads the clipboard, and the command that does the same. */
export function ClipboardShortcut(props: SectionProps) {
  const { t } = useTranslation();
  const { shortcut, shortcutState, lacksClipboardPrograms } = props.preferences;
  return (
    <Setting title={t('computer.shortcut')} hint={t('computer.shortcutHint')}>
      {(label) => (
        <Field state={shortcutState} command="pixdock upload --clipboard">
          <ShortcutField value={shortcut} {...keyboardOf(props)} labelledBy={label} onChange={(keys) => props.change({ shortcut: keys })} />
          {lacksClipboardPrograms && (
            <Alert color="yellow" mt="sm" p="sm" role="status">
              {t('capture.clipboardPrograms')}
            </Alert>
          )}
        </Field>
      )}
    </Setting>
  );
}

/** The same for captures, and the delay before them. */
export function CaptureShortcut(props: SectionProps) {
  const { t } = useTranslation();
  const { captureShortcut, captureShortcutState, captureDelay } = props.preferences;
  return (
    <>
      <Setting title={t('capture.shortcut')} hint={t('capture.shortcutHint')}>
        {(label) => (
          <Field state={captureShortcutState} command="pixdock upload --capture">
            <ShortcutField
              value={captureShortcut}
              {...keyboardOf(props)}
              labelledBy={label}
              onChange={(keys) => props.change({ captureShortcut: keys })}
            />
          </Field>
        )}
      </Setting>
      <Setting title={t('capture.delay')} hint={t('capture.delayHint')}>
        {(label) => (
          <SegmentedControl
            fullWidth
            aria-labelledby={label}
            value={String(captureDelay)}
            onChange={(value) => props.change({ captureDelay: CAPTURE_DELAYS.find((seconds) => String(seconds) === value) ?? 0 })}
            data={CAPTURE_DELAYS.map((seconds) => ({
              value: String(seconds),
              label: seconds === 0 ? t('capture.noDelay') : t('capture.delaySeconds', { count: seconds }),
            }))}
          />
        )}
      </Setting>
    </>
  );
}

/** The same for recordings. */
export function RecordShortcut(props: SectionProps) {
  const { t } = useTranslation();
  const { recordShortcut, recordShortcutState } = props.preferences;
  return (
    <Setting title={t('capture.recordShortcut')} hint={t('capture.recordShortcutHint')}>
      {(label) => (
        <Field state={recordShortcutState} command="pixdock upload --record">
          <ShortcutField
            value={recordShortcut}
            {...keyboardOf(props)}
            labelledBy={label}
            onChange={(keys) => props.change({ recordShortcut: keys })}
          />
        </Field>
      )}
    </Setting>
  );
}

interface FieldProps {
  state: ShortcutState;
  /** Does the same as the shortcut. */
  command: string;
  children: ReactNode;
}

function Field({ state, command, children }: FieldProps) {
  return (
    <>
      {children}
      <ShortcutProblem state={state} />
      <BoundCommand state={state} command={command} />
    </>
  );
}

/** Why a shortcut may not work; nothing if it does. */
export function ShortcutProblem({ state }: Pick<FieldProps, 'state'>) {
  const { t } = useTranslation();
  const problem = {
    none: undefined,
    active: undefined,
    refused: t('computer.shortcutTaken'),
    unknown: t('computer.shortcutUnknown'),
    unchecked: t('capture.shortcutUnchecked'),
    unsupported: t('capture.shortcutUnsupported'),
  }[state];
  if (!problem) return null;
  return (
    <Alert color={state === 'unchecked' ? 'gray' : 'yellow'} mt="sm" p="sm" role="status">
      {problem}
    </Alert>
  );
}

/** Whether only a command is known to work, bound to a key in the system's settings. */
export const needsCommand = (state: ShortcutState) => state === 'unchecked' || state === 'unknown' || state === 'unsupported';

/** The command that does the same as a shortcut. */
export function BoundCommand({ state, command }: Pick<FieldProps, 'state' | 'command'>) {
  const { t } = useTranslation();
  return (
    <>
      <Text size="xs" c="dimmed" mt="sm">
        {t(needsCommand(state) ? 'capture.commandWayland' : 'capture.command')}
      </Text>
      <div className={classes.copyLine}>
        <code className={classes.example}>{command}</code>
        <CopyButton text={command} label={t('capture.copyCommand', { command })} />
      </div>
    </>
  );
}
