import { ActionIcon, Button, Checkbox } from '@mantine/core';
import { IconClock, IconTrashX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { addressOf } from '#api/client.ts';
import { DAY_MS } from '#api/durations.ts';
import { keepSize } from '#renderer/images/grid/keep-size.ts';
import classes from './trash.module.css';
import type { Trashed } from './trash.ts';

interface Props {
  image: Trashed;
  chosen: boolean;
  onToggle: () => void;
  onRestore: () => void;
  onPurge: () => void;
}

/** A deleted or expired image, with the days until it is deleted permanently. */
export function TrashItem({ image, chosen, onToggle, onRestore, onPurge }: Props) {
  const { t } = useTranslation();
  const name = image.version_of === null ? image.name : t('picture.versionOf', { name: image.name });
  const days = Math.max(0, Math.ceil((Date.parse(image.purge_at) - Date.now()) / DAY_MS));
  return (
    <li className={classes.item} data-chosen={chosen || undefined}>
      <div className={classes.image}>
        <img
          src={addressOf('GET /trash/:key/thumbnail', { params: { key: image.key }, query: {} })}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onLoad={keepSize}
        />
        <Checkbox
          className={classes.check}
          size="1.5rem"
          radius="xl"
          aria-label={t('gallery.select', { name })}
          checked={chosen}
          onChange={onToggle}
        />
        {image.reason === 'expired' && (
          <span className={classes.expired}>
            <IconClock size={14} aria-hidden />
            {t('badges.expired')}
          </span>
        )}
      </div>
      <h2 title={name}>{name}</h2>
      {image.version_of && <p className={classes.note}>{t('trash.versionNote')}</p>}
      <div className={classes.foot}>
        <span>{t('trash.daysLeft', { count: days })}</span>
        <div>
          <Button variant="subtle" size="compact-sm" aria-label={t('trash.restoreOne', { name })} onClick={onRestore}>
            {t('trash.restore')}
          </Button>
          <ActionIcon
            variant="subtle"
            color="red"
            size={26}
            aria-label={t('trash.purgeOne', { name })}
            title={t('trash.purge')}
            onClick={onPurge}
          >
            <IconTrashX size={17} stroke={1.7} aria-hidden />
          </ActionIcon>
        </div>
      </div>
    </li>
  );
}
