import { Button, Group, Kbd, Text } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import { keysMeant, portalKnows } from '#api/desktop/capture.ts';
import classes from '#renderer/features/settings/settings.module.css';
import { useTranslation } from '#renderer/i18n/t.ts';
import { acceleratorOf, keysOf } from '#renderer/platform/accelerator.ts';

interface Props {
  value: string | null;
  platform: DesktopBridge['platform'];
  /** Under Wayland, only some keys work. */
  isPortal: boolean;
  /** Id of the element that labels the field. */
  labelledBy: string;
  onChange(accelerator: string | null): void;
}

/** Shows a key combination; a click records the next one typed. Escape keeps the current one. */
export function ShortcutField({ value, platform, isPortal, labelledBy, onChange }: Props) {
  const { t } = useTranslation();
  const [recording, setRecording] = useState(false);
  const [isUnknown, setUnknown] = useState(false);

  function type(event: KeyboardEvent) {
    if (!recording || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') return setRecording(false);
    const accelerator = acceleratorOf(event.nativeEvent, platform);
    if (!accelerator) return;
    const works = !isPortal || portalKnows(accelerator);
    setUnknown(!works);
    if (!works) return;
    setRecording(false);
    if (value === null || keysMeant(accelerator, platform) !== keysMeant(value, platform)) onChange(accelerator);
  }

  return (
    <Group gap="xs" wrap="nowrap">
      <button
        type="button"
        className={classes.shortcut}
        aria-labelledby={labelledBy}
        aria-describedby={`${labelledBy}-keys`}
        data-recording={recording || undefined}
        onClick={() => {
          setUnknown(false);
          setRecording(true);
        }}
        onBlur={() => setRecording(false)}
        onKeyDown={type}
      >
        <span id={`${labelledBy}-keys`} aria-live="polite">
          {recording ? (
            t(isUnknown ? 'computer.shortcutUnknown' : 'computer.pressKeys')
          ) : value ? (
            <Keys keys={keysOf(value, platform)} />
          ) : (
            t('computer.noShortcut')
          )}
        </span>
      </button>
      {value !== null && !recording && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => onChange(null)}>
          {t('computer.removeShortcut')}
        </Button>
      )}
    </Group>
  );
}

function Keys({ keys }: { keys: string[] }) {
  return (
    <Text span inherit>
      {keys.map((key, i) => (
        <span key={key}>
          {i > 0 && ' + '}
          <Kbd>{key}</Kbd>
        </span>
      ))}
    </Text>
  );
}
