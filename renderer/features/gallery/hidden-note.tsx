import { Anchor } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { hiddenQuery } from '#renderer/albums/albums.ts';
import classes from './gallery.module.css';

const REASONS = ['private', 'password_protected', 'view_limited', 'expired'] as const;

/** Tells the owner of a public album how many of its pictures visitors don't see, and why. */
export function HiddenNote({ albumId }: { albumId: string }) {
  const { t } = useTranslation();
  const { data: counts } = useQuery(hiddenQuery(albumId));
  const total = counts ? REASONS.reduce((sum, reason) => sum + counts[reason], 0) : 0;
  if (!counts || total === 0) return null;
  return (
    <div className={classes.note} role="note">
      <IconEyeOff size={20} aria-hidden />
      <div>
        <p>{t('hidden.title', { count: total })}</p>
        <ul>
          {REASONS.filter((reason) => counts[reason] > 0).map((reason) => (
            <li key={reason}>
              {t(`hidden.${reason}`, { count: counts[reason] })}
              {reason === 'expired' && (
                <>
                  {' · '}
                  <Anchor component={Link} to="/trash" inherit underline="always" className={classes.noteLink}>
                    {t('viewer.lookInTrash')}
                  </Anchor>
                </>
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
