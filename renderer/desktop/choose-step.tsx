import { Button, Checkbox, Group, Input } from '@mantine/core';
import { IconArchive, IconChevronRight, IconFolderOpen, IconPlugConnected, type TablerIcon } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { SetupState, Wishes } from '#api/desktop/setup.ts';
import { ShortcutField } from '#renderer/features/settings/computer/shortcut-field.tsx';
import { BoundCommand, needsCommand, ShortcutProblem } from '#renderer/features/settings/computer/shortcuts.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Frame } from './frame.tsx';
import classes from './pages.module.css';

interface Props {
  bridge: DesktopBridge;
  setup: SetupState;
  starting: boolean;
  /** Asks who should open the links. */
  who: ReactNode;
  wishes: Wishes;
  onWish: (wish: Partial<Wishes>) => void;
  onHost: () => void;
  onRestore: () => void;
  onOptions: () => void;
  onJoin: () => void;
  onOpen: () => void;
  /** The last problem. */
  children: ReactNode;
}

/** The choices of the first launch. */
export function ChooseStep(props: Props) {
  const { bridge, setup, starting, who, wishes, onWish, onHost, onRestore, onOptions, onJoin, onOpen, children } = props;
  const { t } = useTranslation('desktop');
  return (
    <Frame title={t('setup.title')} intro={t('setup.intro')}>
      <section className={classes.primary}>
        <h2>{t(setup.hasData ? 'setup.hostAgain' : 'setup.host')}</h2>
        <p>{t('setup.hostText')}</p>
        {who}
        <Group gap="sm" mt="md">
          <Button size="md" loading={starting} onClick={onHost}>
            {t('setup.start')}
          </Button>
          {!setup.hasData && (
            <Button size="md" variant="subtle" disabled={starting} onClick={onOptions}>
              {t('setup.options')}
            </Button>
          )}
        </Group>
      </section>
      {children}
      <div className={classes.wishes}>
        <CaptureKeys
          bridge={bridge}
          setup={setup}
          keys={wishes.captureShortcut}
          onChange={(captureShortcut) => onWish({ captureShortcut })}
        />
        {setup.screenshots !== null && (
          <Checkbox
            mt="md"
            label={t('setup.screenshots')}
            description={t('setup.screenshotsHint', { folder: setup.screenshots })}
            checked={wishes.watchScreenshots}
            onChange={(event) => onWish({ watchScreenshots: event.currentTarget.checked })}
          />
        )}
      </div>
      <ul className={classes.choices}>
        <Choice icon={IconPlugConnected} title={t('setup.join')} text={t('setup.joinText')} onClick={onJoin} />
        <Choice icon={IconArchive} title={t('setup.restore')} text={t('setup.restoreText')} onClick={onRestore} />
        <Choice icon={IconFolderOpen} title={t('setup.open')} text={t('setup.openText')} onClick={onOpen} />
      </ul>
    </Frame>
  );
}

interface CaptureKeysProps extends Pick<Props, 'bridge' | 'setup'> {
  keys: string | null;
  onChange: (keys: string | null) => void;
}

/** The keys that capture a part of the screen, and whether they can be used. */
function CaptureKeys({ bridge, setup, keys, onChange }: CaptureKeysProps) {
  const { t } = useTranslation();
  const [state, setState] = useState(setup.captureShortcut.state);
  const id = useId();
  const change = (next: string | null) => {
    onChange(next);
    if (next === null) setState('none');
    else void bridge.tryShortcut(next).then(setState);
  };
  return (
    <Input.Wrapper label={t('capture.shortcut')} labelElement="div" labelProps={{ id }} description={t('capture.shortcutHint')}>
      <div className={classes.keys}>
        <ShortcutField value={keys} platform={bridge.platform} isPortal={setup.portalShortcuts} labelledBy={id} onChange={change} />
      </div>
      <ShortcutProblem state={state} />
      {needsCommand(state) && <BoundCommand state={state} command="pixdock upload --capture" />}
    </Input.Wrapper>
  );
}

function Choice({ icon: Icon, title, text, onClick }: { icon: TablerIcon; title: string; text: string; onClick: () => void }) {
  return (
    <li>
      <button type="button" className={classes.choice} onClick={onClick}>
        <Icon size={24} stroke={1.5} aria-hidden />
        <span>
          <strong>{title}</strong>
          {text}
        </span>
        <IconChevronRight size={18} aria-hidden />
      </button>
    </li>
  );
}
