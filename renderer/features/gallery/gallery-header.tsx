import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Filters } from '#renderer/features/gallery/filters/search.ts';
import { Tools } from '#renderer/features/gallery/filters/tools.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { limitsQuery } from '#renderer/service/queries.ts';
import classes from './gallery.module.css';

interface Props {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  search: Filters;
  inAlbum: boolean;
  /** The number of images in the view, once known. */
  found: number | undefined;
  /** Whether to offer search and filters. */
  tools: boolean;
}

/** The heading, the number of images, and the tools to find some. */
export function GalleryHeader({ title, lead, actions, search, inAlbum, found, tools }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: limits } = useQuery(limitsQuery);
  const all = limits?.image_count ?? 0;
  const partly = search.active > 0 || inAlbum;
  const count = partly ? (found ?? 0) : all;
  return (
    <header className={classes.header}>
      {lead}
      <Title order={1} className={classes.title} title={title} dir="auto">
        {title}
      </Title>
      {count > 0 && (
        <Text c="dimmed" size="sm" className={classes.count}>
          {t('gallery.count', { count, formatted: format.number(count) })}
        </Text>
      )}
      <div className={classes.grow} />
      {tools && <Tools search={search} inAlbum={inAlbum} />}
      {actions}
    </header>
  );
}
