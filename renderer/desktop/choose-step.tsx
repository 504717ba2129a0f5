import { Button, Checkbox, Group } from '@mantine/core';
import { IconArchive, IconChevronRight, IconFolderOpen, IconPlugConnected, type TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Hosting, SetupState } from '#api/desktop/setup.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Frame } from './frame.tsx';
import classes from './pages.module.css';

interface Props {
  setup: SetupState;
  starting: boolean;
  watchScreenshots: boolean;
  onWatchScreenshots: (watch: boolean) => void;
  onHost: (choices?: Partial<Hosting>) => void;
  onOptions: () => void;
  onJoin: () => void;
  onOpen: () => void;
  /** The last problem. */
  children: ReactNode;
}

/** The choices of the first launch. */
export function ChooseStep({ setup, starting, watchScreenshots, onWatchScreenshots, onHost, onOptions, onJoin, onOpen, children }: Props) {
  const { t } = useTranslation('desktop');
  return (
    <Frame title={t('setup.title')} intro={t('setup.intro')}>
      <section className={classes.primary}>
        <h2>{t(setup.hasData ? 'setup.hostAgain' : 'setup.host')}</h2>
        <p>{t('setup.hostText')}</p>
        <Group gap="sm">
          <Button size="md" loading={starting} onClick={() => onHost()}>
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
      <ul className={classes.choices}>
        <Choice icon={IconPlugConnected} title={t('setup.join')} text={t('setup.joinText')} onClick={onJoin} />
        <Choice icon={IconArchive} title={t('setup.restore')} text={t('setup.restoreText')} onClick={() => onHost({ open: 'restore' })} />
        <Choice icon={IconFolderOpen} title={t('setup.open')} text={t('setup.openText')} onClick={onOpen} />
      </ul>
      {setup.screenshots !== null && (
        <div className={classes.rule}>
          <Checkbox
            label={t('setup.screenshots')}
            description={t('setup.screenshotsHint', { folder: setup.screenshots })}
            checked={watchScreenshots}
            onChange={(event) => onWatchScreenshots(event.currentTarget.checked)}
          />
        </div>
      )}
    </Frame>
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
