import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AdminImage } from '#api/admin/images.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { Badges, useDescribe } from '#renderer/images/grid/badges.tsx';
import { keepSize } from '#renderer/images/grid/keep-size.ts';
import classes from './images.module.css';

interface Props {
  image: AdminImage;
  selected: boolean;
  onToggle: () => void;
}

/** One picture with its owner and a checkbox. Pictures in the trash have no link. */
export function ImageTile({ image, selected, onToggle }: Props) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const describe = useDescribe();
  const owner = image.owner?.username ?? (image.uploader_address ? t('images.guestAt', { address: image.uploader_address }) : t('guests'));
  return (
    <li className={classes.tile} data-selected={selected || undefined}>
      {image.deleted_at ? (
        <span className={classes.image} aria-hidden="true" />
      ) : (
        <a
          className={classes.image}
          href={`/i/${image.key}.${image.ext}`}
          target="_blank"
          rel="noreferrer"
          aria-label={describe(t('images.open', { name: image.name }), image)}
        >
          <img src={`/t/${image.key}.jpg?w=400`} alt="" loading="lazy" decoding="async" onLoad={keepSize} />
          <Badges image={{ ...image, favourite: false }} />
        </a>
      )}
      <Checkbox
        size="1.5rem"
        radius="xl"
        className={classes.box}
        checked={selected}
        onChange={onToggle}
        aria-label={t('images.select', { name: image.name })}
      />
      <div className={classes.name} title={image.name}>
        {image.name}
      </div>
      <div className={classes.owner}>
        {owner} · {format.bytes(image.size)}
      </div>
    </li>
  );
}
