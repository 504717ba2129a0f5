import { Link, Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { Sections, sectionClass } from '#renderer/components/layout/sections.tsx';
import { Questions } from '#renderer/components/notices/questions.tsx';
import { en } from '#renderer/i18n/en-admin.ts';
import { i18n, useTranslation } from '#renderer/i18n/t.ts';
import { zh } from '#renderer/i18n/zh-admin.ts';
import classes from './admin.module.css';
import { SECTIONS } from './sections.ts';

/** The frame of the administration pages. Brings their texts, which no other page has to load. */
export function AdminLayout() {
  const { t } = useTranslation('admin');
  useState(() => i18n.add('en', 'admin', en).add('zh', 'admin', zh));
  return (
    <div className={classes.layout}>
      <Sections className={classes.sections} label={t('title')}>
        <p className={classes.sectionsTitle} aria-hidden="true">
          {t('title')}
        </p>
        {SECTIONS.map(({ id, Icon }) => (
          <Link key={id} to="/admin/$section" params={{ section: id }} className={`${sectionClass} ${classes.section}`}>
            <Icon size={18} stroke={1.6} aria-hidden />
            {t(`sections.${id}`)}
          </Link>
        ))}
      </Sections>
      <div className={classes.page}>
        <Questions>
          <Outlet />
        </Questions>
      </div>
    </div>
  );
}
