import type { ReactNode } from 'react';
import classes from '#renderer/features/gallery/gallery.module.css';

/** How the icons of the bar look. */
export const ICON = { size: 20, stroke: 1.7, 'aria-hidden': true } as const;

/** Makes a button one of the bar's: an icon, with its words where there is room. `refusal` says why it can't be used. */
export const menuButton = (label: string, icon: ReactNode, refusal?: string) =>
  ({
    variant: 'subtle',
    color: 'gray',
    size: 'sm',
    className: classes.roomy,
    'aria-label': label,
    title: refusal ?? label,
    disabled: refusal !== undefined,
    leftSection: icon,
  }) as const;
