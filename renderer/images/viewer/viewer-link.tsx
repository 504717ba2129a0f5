import type { ComponentProps } from 'react';
import { actionProps } from './viewer-dialog.tsx';

/** A link in the bar of the viewer. */
export const ViewerLink = ({ label, children, ...rest }: ComponentProps<'a'> & { label: string }) => (
  <a {...actionProps(label)} {...rest}>
    {children}
  </a>
);
