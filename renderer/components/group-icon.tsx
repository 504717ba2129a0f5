import { IconUsers } from '@tabler/icons-react';
import classes from './group-icon.module.css';

/** Stands for a group, or for everyone, where an avatar stands for a user. @param size in pixels */
export const GroupIcon = ({ size }: { size: number }) => (
  <span className={classes.icon} style={{ width: size, height: size }}>
    <IconUsers size={size * 0.55} stroke={1.7} aria-hidden />
  </span>
);
