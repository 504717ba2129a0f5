import { Kbd, Modal } from '@mantine/core';
import { Fragment, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { commandKey } from '#renderer/platform/clipboard.ts';
import classes from './shortcuts.module.css';

/** Keys pressed together, or with a word such as “click”. `Mod` is the command key of the system. */
type Keys = readonly string[];

/** Every shortcut of the pages behind the sign-in. Alternatives stand side by side. */
const SHORTCUTS = [
  {
    title: 'shortcuts.everywhere',
    items: [
      { keys: [['Mod', 'V']], label: 'shortcuts.paste' },
      { keys: [['/']], label: 'shortcuts.search' },
      { keys: [['Mod', 'Z']], label: 'shortcuts.undo' },
      { keys: [['?']], label: 'shortcuts.help' },
    ],
  },
  {
    title: 'shortcuts.pictures',
    items: [
      { keys: [['←'], ['→'], ['↑'], ['↓']], label: 'shortcuts.move' },
      { keys: [['Home'], ['End']], label: 'shortcuts.ends' },
      { keys: [['Enter']], label: 'shortcuts.open' },
      { keys: [['Mod', 'click']], label: 'shortcuts.tab' },
      { keys: [['Space']], label: 'shortcuts.select' },
      {
        keys: [
          ['Shift', 'click'],
          ['Shift', '→'],
        ],
        label: 'shortcuts.range',
      },
      { keys: [['Mod', 'A']], label: 'shortcuts.all' },
      { keys: [['Delete']], label: 'shortcuts.delete' },
      { keys: [['Esc']], label: 'shortcuts.clear' },
    ],
  },
  {
    title: 'shortcuts.viewer',
    items: [
      { keys: [['←'], ['→']], label: 'shortcuts.next' },
      { keys: [['Space']], label: 'shortcuts.slideshow' },
      { keys: [['F']], label: 'shortcuts.fullScreen' },
      { keys: [['+'], ['−'], ['doubleClick']], label: 'shortcuts.zoom' },
      { keys: [['E']], label: 'shortcuts.edit' },
      { keys: [['Delete']], label: 'shortcuts.deleteOne' },
      { keys: [['Esc']], label: 'shortcuts.close' },
    ],
  },
] as const satisfies readonly { title: string; items: readonly { keys: readonly Keys[]; label: string }[] }[];

/** What every dialog ignores Escape on. */
const ownEscape = { 'data-mantine-stop-propagation': 'true' };

/** The list of keyboard shortcuts. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const words: Record<string, string> = { Mod: commandKey(), click: t('shortcuts.click'), doubleClick: t('shortcuts.doubleClick') };
  // Escape closes this list alone, not also the viewer below it.
  const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && onClose();
  return (
    <Modal.Root opened onClose={onClose} size="xl" onKeyDown={onKeyDown}>
      <Modal.Overlay backgroundOpacity={0.5} />
      <Modal.Content {...ownEscape}>
        <Modal.Header>
          <Modal.Title>{t('shortcuts.title')}</Modal.Title>
          <Modal.CloseButton aria-label={t('common.close')} {...ownEscape} />
        </Modal.Header>
        <Modal.Body>
          <div className={classes.groups}>
            {SHORTCUTS.map(({ title, items }) => (
              <section key={title}>
                <h3 className={classes.title}>{t(title)}</h3>
                <dl className={classes.list}>
                  {items.map(({ keys, label }) => (
                    <div key={label} className={classes.item}>
                      <dt>{t(label)}</dt>
                      <dd>
                        {keys.map((together: Keys, place) => (
                          <span key={together.join()} className={classes.keys}>
                            {place > 0 && together.length > 1 && <span className={classes.or}>{t('auth.or')}</span>}
                            {together.map((key, index) => (
                              <Fragment key={key}>
                                {index > 0 && ' + '}
                                <Kbd size="xs">{words[key] ?? key}</Kbd>
                              </Fragment>
                            ))}
                          </span>
                        ))}
                      </dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
