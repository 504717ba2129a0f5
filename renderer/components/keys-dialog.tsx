import { Kbd, Modal } from '@mantine/core';
import { Fragment, type KeyboardEvent } from 'react';
import { ownEscape } from '#renderer/components/own-escape.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { commandKey } from '#renderer/platform/clipboard.ts';
import classes from './keys-dialog.module.css';

/** Keys pressed together, or with a word such as “click”. `Mod` is the command key of the system. */
export type Keys = readonly string[];

/** Keys of a part of the app. Alternatives stand side by side. */
export interface KeyGroup {
  title: string;
  items: readonly { keys: readonly Keys[]; label: string }[];
}

/** A list of keyboard shortcuts. */
export function KeysDialog({ groups, onClose }: { groups: readonly KeyGroup[]; onClose: () => void }) {
  const { t } = useTranslation();
  const words: Record<string, string> = { Mod: commandKey(), click: t('shortcuts.click'), doubleClick: t('shortcuts.doubleClick') };
  // Escape closes this list alone, not also the viewer below it.
  const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && onClose();
  return (
    <Modal.Root opened onClose={onClose} size="xl" onKeyDown={onKeyDown}>
      <Modal.Overlay backgroundOpacity={0.5} />
      <Modal.Content {...ownEscape}>
        <Modal.Header>
          <Modal.Title>{t('nav.shortcuts')}</Modal.Title>
          <Modal.CloseButton aria-label={t('common.close')} {...ownEscape} />
        </Modal.Header>
        <Modal.Body>
          <div className={classes.groups}>
            {groups.map(({ title, items }) => (
              <section key={title}>
                <h3 className={classes.title}>{title}</h3>
                <dl className={classes.list}>
                  {items.map(({ keys, label }) => (
                    <div key={label} className={classes.item}>
                      <dt>{label}</dt>
                      <dd>
                        {keys.map((together, place) => (
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
