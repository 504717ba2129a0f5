import type { ComponentProps } from 'react';
import { plainActionProps } from './viewer-dialog.tsx';

/** A link in the bar of the viewer. */
export const ViewerLink = ({ label, children, ...rest }: ComponentProps<'a'> & { label: string }) => (
  <a {...plainActionProps(label)} {...rest}>
    {children}
  </a>
);
