/**
 * Letters and the characters that they look like, as `target:letter,letter`. Each character is its code point in base
 * 36; the code points of a longer target are separated by dots. Derived from the confusables of Unicode 15 (UTS #39,
 * under the Unicode License), as returned by ICU's `SpoofChecker.getSkeleton`, for every character that a slug's key
 * may contain. Targets are folded like keys.
 *
 * In addition to that list, `i` maps to `l`, because a short URL may be passed on with `i` written as `I`. A
 * lower-case letter that resembles no ASCII character takes the look-alike of its capital, if that has one.
 */
export const LOOK_ALIKES = `
33:1c,qn,qr,rf,u6,139,15t,18n,19h,1by,1c1,1cl,1dh,1j4,1uu,1ye,21y,25i,274,292
33:2cm,2de,2g6,2gy,2jq,2ki,2lc,2na,2o2,2ts,2xc,36l,37k,3cv,3ps,5qn,5qp,8tb,8yc,wkz
33:xtp,1f2q,1f3f,1fe4,1fje,1fkm,1iog,1jgo,1jh3,1jhc
30:1d,2x,cg,h5,h6,qh,uu,y7,15h,15r,17r,19d,1dd,1je,42y,4ht,8up,8y7,wkh,wky
30:wuf,xv9,xwu,1f2i,1f61,1fer,1fl2,1jgj,1jgy,20ie,20iw 36.32:31,qk,sb,u4,4c0,4ie,8t5,wkf,xvr,1f3k,1f69,1j40,1jhf
2p.2t:6e,yd 6pu.mt:6o 33.mw:6w,8xt,xtq 2s.mt:7l 2w.mt:87,uz 30.mw:8y 33.2t:9f 38.mt:9z 2q.mt:ao,v7,wd 2q.lg:ar
2s.lg:b0 2v:b1,gx,zx,135,3y3,5tv,wk6,xw0 2u.me:b6 2z.lw:bd 30.mt:be,h4,5tn,5to 32.mh:bi 34.lw:bp 38.lw:bx 3d.lw:c4
3e.mt:c6 1e.mt:cb 37:cd,ut,133,wki,x0x,xwl,xwq,1f2u,1few,1jgh,20je 72:cf,s8 30.30:ch,168 x:cj,8y9 2v.mt:dh
1k:f7,1yi,222,26b,1f6i 3e.me:f9 2r.mw:fw 2t.mw:g7 2y.mt:g9 36.mt:gd,wj 3d.mt:gf,xd 2p:gh,q9,ts,4at,wku,xve,1f34,20jk
2q.lw:gj 2s.mg:gm 2s.lw:gn d9:gp,yh,8xm,wkx d9.ke:gq x3n:gr,us,101,8sp,xwb,1fe1,20j1 2v.lw:gw
3d:gz,i7,qb,ub,xb,3c7,42t,5u4,64f,8tl,wks,xui,xvd,xvx,1f3m,1jh8,20hz,20jn 2w.lw:h2,wwl 30.ms:h7 30.mg:h9 30.f1:ha
3b:hb,v5,10d,129,4bz,5r5,wkq,xvn,xwk,1j4a,1j4e,1j4f,1jhi 36.32.me:hd 32.mg:hf 33.mt:hh,qg,vn,yx,8xd,x1n,xvy,xx7
33.5qf:hi 36.mh:ho 36.mg:hp 36:hs,tv,493,5ra,8sl,wkj,xtz,xu0,xv5,xvl,xwi,1fj0,20j9 37.mg:hu
39:i3,qt,131,3k0,40c,5r0,wl0,x3z,xu6,xua,1fjq,1jh4,20jm 3e.mg:i8 f1:ia,yp,3cj,8ul,x2j 1r:ic,1vh
2y:il,s3,uw,425,wk9,xvf 35.lw:io 2s.3e:ir 2s.f1:is 2s.i9:it 38.37:iu 38.hv:iv 38.gl:iw 2u.97:ix 30.37:iy 30.3e:iz
13:jd,jf,jg,jh,ji,js,ju,jv,15l,1kk,1kl,40a,4i4,x3g,20k1,20k2 13.13:je,ku,16a 121:jj 2m:jq 1m:k0,1s3,22r,wl9
lg:lh,195,1kb,5oy,wz5 li:lo,oe,194,196,wvw 19s:lp li.lj:ls,1d4,1s1,1vl,22p,269,2dc,2gx,2kh,1inz le:lt,197,1ke,5ow,wz4
lv:lx,17d,18v,1rn 18w:lz,17e mp:m8,1ua me:m9,mf,mx mg:ma,59z mt:mu mw:mv lf:n6,18z mr:nb nk:nr,1rs,1rz
lj:ns,14p,14q,14x,14y,150,1d8,1fk,1fl,1kd,1re,1s2,1z6,22q,2bx lm:o6,14f,18y,1cv,29u,2tp,2x9,37a,4p2,4pf,92i,9lm,1ibk
5qm:on,u0,wwx,1ff1 gk:or,5qo,6mc,wkb,1fez x1b:ot 2q:qa,tu,3y4,41e,4a7,4c7,wk0,x4l,1f2a,1f35,1f5t
61r:qc,12m,3yb,48n,8yo,1f2d,1f37,20ii 2t:qd,tx,xp,8xl,wkw,xte,xvg,1f2e,1jgu 3e:qe,5r6,wkc,xw3,1jgk,1jgp,1jhh
2w:qf,u5,xn,12o,48s,8sv,wkn,xvv,1f4f 2z:qi,u2,4id,8t1,wk7,xx2,1fko
3a:ql,vp,15k,19j,1dj,3zj,5r4,8xk,wkm,wyn,xwp,1fkt,1j46,1jgg,20i0 34:qp,u8,419,8tf,wk1,xwy,1f2t
38:qs,ua,8tj,wk4,xv6,1f2v,1f3l,1f6d,20i2 hk:qu,uc,3ls,8tn,1f3n
3c:qv,ud,475,48t,4hj,8tp,8yl,wkr,xub,xud,1f2o,1f3o,1f6f,1fl3 2u:rh,138,4ac,61p,wkd,x3t,xth,1f2f,1f39,1fl1,1jgi
bs:rt,5r8,wud 1i:tt,1jh1 gs:tz,5qg qo:u7,5rc,wyj 2r:u9,5qc,8th,wka,xwv,1f36,1f5u,1fel,1fks,1jhl jt.2q:ui at.30:uj
at:uk,xwf 5qx:un qw:vl,4ig,1f3p,1fjt 3b.w6.w7:vx 5qm.me.li:wb 36.13:wh ty.mh:wn gs.me:wp 8o.mh:wr 8o.mt:wv ik.mh:wz
2r.me:x7 5qz.mh:x9 2t.mg:xr u3.me:xy ik.me:y0,y2 xj:y4 i5.me:y6 2s:zl,41b,4bi,4bu,wk2,wk3,xv4 35:10b,12b,12e,8yd
fr:12t 32:12w,130,3mo,40e,8t7,wkg,wl1,1fkj hc:12y,3kz ld:13w,13x,17c,18u,1fr,1uc 13u:144 13t:148 13q:14d 13s:14e
mb:14k,151,198,1rh,1to,1x8,20s,24c,27w,5p9,1gl6,1i2y,1io3 30.13:169 18p.1cr:17v,18f,1a6,1bx,1ch 183.1cr:184 18p.le:18d
18p:18q,19q,1bu,1cc,1ci,1q5 ln:18r,1rk mh:192,5p8 lu:193 lw:199 191:19b 1a:19c,1dc,wl4,2jxp
i4:19k,1dk,3zl,5rb,8xj,wkl,wy6,1f2l,1fiw,20jh 1b5:19r,1q3,1q4 30.19w:19u 30.191:19v 18p.179:1a1,1bv 17x.190:1a9,1gy
17x.1cr:1ad 17z.179:1ag 1ai.179:1aj 17z.1cr:1am 181.179:1ap 181.li:1aq 181.1cr:1aw 185.1cr:1b2 187.1cr:1b3
1b5.1cr:1b8,1bc 18h:1bb 18j:1bd,1be 18j.1cr:1bh,1gj 1bj.1cr:1bo 18k.li:1bp 18k.1cr:1br 17t:1c3 18o.li:1c6 18o.lv:1c7
18o.19s:1c8 18o.le:1c9 18o.1cr:1cb 18p.li:1ce,1g6 1a3:1cg 17z.le:1da 181.le:1db 19e:1de,xjj 19f:1df 19g:1dg 19i:1di
19l:1dl,1uv,1jhg 33.le:1dr 1fg:1fm 17s.1cr:1g1 1bg:1gi 1g4:1gn,1pl 18m.179:1go 18m.li:1gp 181.190:1gs 1av.179:1gx
183.le:1ha lk:1kj,1rf 2n:1kq 17s.190:1pd 1b6.1cr:1pg 18l.1cr:1pj 18p.190:1pk 17z.mc.mb:1pq 185.mc.mb:1pr 1bj:1ps
18o:1pt 182.le:1pu 17s.1cy:1py 18p.1cr.1cy:1pz 181.li.lj:1q1 18p.li.lj:1q2 18s:1r9,1rc,1rl mc:1ri,5pa 18t:1rm no:1rt
np:1ru nm:1s0 1s5.1ty:1s4 1s5.1tq:1s6 1tc.1u5.1s7:1s8 1sf.1tx:1sd 1sf.1ty:1se 1sf.1tz:1sg 1s5.1u1:1sh 1s5.1tq.1ty:1si
1s5.1tq.1tz:1sj 1s5.1tq.1u0:1sk lc:1ub 1vp.1xa:1vq 1vv.1xf:1y8,1y9 1l:1yl,21z,294,2nh,1jgs,1jh2
1vn:1z7,2df,2gz,2kj,2o3,37c,1io1 1z9.20u:1za 22a.20v:1zb 22a.20w:1zc 22b.20x:1zd 22b.20y:1ze 22a.213:1zj 1z9.214:1zk
1z9.218:1zo 1ty:217 1u5:219,24t 22t.24e:22u 22t.24l:231 22t.24n:233 22t.24o:234 22t.24e.24l:235 22t.24e.24n:237
22t.24e.24o:238 1tp:24d 1tt:24h 1tu:24i 1uw:25k 1ux:25l 1uy:25m 1v2:25q 26d.27y:26e 2a1.2b7:2a2 2a8:2ak,2l8
2a0:2b4,2bi 2ax:2bs 2b7:2c7 2ad:2cn 2a1:2co,2kp 2ai:2cq 2a0.2bl:2cr 2ai.2bl:2cs 2a6:2ct 29x:2cu 2du.2fp:2dv,2hf
2du.2fg:2dw,2hg 2eo.14s:2e8 2e9.mb:2ea 2ef.14s:2ed 2ek.mb:2el 2et.2f5:2em 2et.mb:2ev 2et.2f2:2ex 2f5.2f2:2f6
2f7.2f2:2f8 2dn.2f2:2g0 2do.2f2:2g1 2dh:2h1 2di:2h2 2dj:2h3 2du:2he 2e4:2ho 2e6:2hq 2eb:2hv 2en:2i7 2ep:2i9 2eq:2ia
2h8.2im:2jl 2g7:2jr 2g8:2js 2gf:2jz 2kn.2mv:2ko 2a1.2mv:2kq 2lk.2m9:2ks,2l5 2ku.2me:2kw 2ky.2m6:2kz 2ky.2mv:2l0
2ar:2lf 2ls:2lt 2b8:2lw 2ba:2ly 2an.2bj:2m2 2bj:2m7,2m8 2m9:2ma,2mb 2me.2me:2mg 1v5:2mm 33.2ls.33:2n3 2la:2n5
2ls.2ml:2ne,2nw 2li.2ml.2ls:2nf 2lk.2ml.2lk:2ng 2lx.2ml.2ls:2ni 2lk.2ml:2nj,2nv 2qw.2q7:2qx 2oy:2qy 2pb:2qz
2qw.2qb:2r3 2rm:2rn 2ru:2rv 2ry:2rz 2ro:2s4,2s5 2s1:2s7 2rq:2sh 2sg:2sm 2tc.2tc:2td 2sy:2th 2rs:2vc 2si:2vh 2sa:2vu
2sb:2vv 2sd:2vx 2se:2vy 2sf:2vz 2t4:2wo 2t5:2wp 2tk:2x4,4p7 2tl:2x5 2tm:2x6 2tn:2x7 31k.324.326:2yo md:307,9il 31e:31m
35u.370:35s 33.370:368 36d.370:36n 36m.37g:36x 36m.37g.375.370.37e:36y 37l:38l 36d.37i:38m 36d.370.37i:38v 35v.37i:38w
399.37i:39a 35u.37i:39d 3cw.3cw:3cx,3hl 3cz.3cz:3d0,16ml 3d3.3d3:3d4,16na 3d5.3d5:3d6,3i3 3d8.3d8:3d9,16nt
3cy.3cw:3df,3id 3cy.3cy:3dg,3jz 3cy.3cz:3dh,3ie 3cy.3d3:3di 3cz.3cw:3dj,3ii 3d1.3cy:3dk,3il 3d1.3d1:3dl,3io
3d1.3de:3dm,3ej,3hy,16nm 3d1.3d7:3dn,16n1 3d2.3d3:3do,3j0 3d2.3d7:3dp,3j6 3d3.3cw:3dq 3d3.3cy:3dr 3d3.3cz:3ds,16n7
3d3.3d5:3dt,3i1 3d3.3d5.3cw:3du 3d3.3d5.3cz:3dv,16nb 3d3.3d5.3d3:3dw 3d3.3d5.3d5:3dx 3d3.3d5.3d8:3dy 3d3.3d8:3dz,16nc
3d3.3da:3e0,16nd 3d3.3dc:3e1 3d3.3dd:3e2,3j8 3d3.3d7:3e3,3ja 3d3.3d3.3d7:3e4 3d5.3cw:3e5,3jb 3d5.3cy:3e6
3d5.3cz:3e7,3jc 3d5.3d1:3e8,3jd 3d5.3d2:3e9,16ne 3d5.3d3:3ea,3je 3d5.3d3.3cw:3eb 3d5.3d5.3d5:3ec 3d5.3d7:3ed
3d5.3d8:3ee,16nj 3d5.3da:3ef,16nk 3d5.3db:3eg 3d5.3dc:3eh,16nl 3d5.3dd:3ei 3ek.3ek:3el 3em.3em:3en 3d7.3cw:3ep,3jg
3d7.3cz:3eq 3d7.3d2:3er 3d7.3d3:3es 3d7.3d5:3et,3jl 3d7.3eo:3eu,3jm 3d7.3d7:3ev,3ji 3d7.3d8:3ew 3d7.3da:3ex
3d7.3dc:3ey 3d7.3dd:3ez 3d8.3d7:3f1 3f2.3f2:3f3 3f4.3f4:3f5 3da.3db:3f6 3da.3de:3f7 3dd.3d3:3fa,3jn 3dd.3d7:3fb,3jo
3de.3de:3fc 3cw.3cz:3fe 3cy.3d5:3ff,3if 3cy.3d8:3fg,3ho 3cy.3de:3fh,3hp 3cz.3d1:3fi,3ij 3fl.ffs:3fm 3fn.ffs:3fo
3fp.ffs:3fq 3fr.ffs:3fs 3ft.3fl:3fu 3ft.3fl.ffs:3fv 3ft.ffs:3fw 3fy.3fp:3fz 3fy.3fp.ffs:3g0 3fy.ffs:3g1
9oc:3g3,feo,x6f 9oc.ffs:3g4 ffs:3g5 3fl.3ft:3g6 3fl.3fy:3g7 3fn.3ft:3g8 3fn.3fx:3g9 3fp.3ft:3ga 3fp.3fy:3gb
3fp.9oc:3gc 3fr.3ft:3gd 3fr.3fy:3ge 3ft.3fp:3gf 3ft.3fp.ffs:3gg 3ft.3fr.ffs:3gh 3ft.3ft:3gi 3ft.3fy:3gj
3fx.3fn:3gk,3gm 3fx.3fn.ffs:3gl 3fx.3ft:3gn 3fx.ffs:3go 3fy.3fl:3gp 3fy.3fl.ffs:3gq 3fy.3fp.9oc:3gr 3fy.3fr.ffs:3gs
3fy.3fy:3gt 3g2.3fl:3gu 3g2.3fp:3gv 3g2.3fp.ffs:3gw 3g2.3fr:3gx 3g2.3fr.ffs:3gy 3g2.3fy:3gz 3g2.ffs:3h0 9oc.3fy:3h1
9oc.9oc:3h2 9oc.ffs.3fy:3h3 ffs.3fl:3h4 ffs.3fn:3h5 ffs.3ft:3h6 ffs.3fy:3h7 ffs.9oc:3h8 ffs.3ha:3h9 3ha.3fp:3hb
3ha.3fy:3hc 3ha.ffs:3hd 3ha.3ha:3he 3fl.9oc:3hf 3fn.3fy:3hg 3fr.3fn:3hh 3ft.3fn:3hi 3ft.3fn.ffs:3hj 3cw:3hk
3cw.3d5:3hm 3cy:3hn 3cz:3hq 3d1:3hr 3d1.3cw:3hs,xgk 3d1.3d2:3ht,xgo 3d1.3d3:3hu,xgp 3d1.3d5:3hv,xgs 3d1.3dc:3hw
3d1.3dd:3hx 3d2:3hz 3d3:3i0 3d5:3i2 3d7:3i4 3d8:3i5 3da:3i6 3db:3i7 3dc:3i8 3dd:3i9 3de:3ia 3cw.3d1:3ib
3cw.3d5.3cw:3ic 3cy.3eo:3ig 3cy.3dc:3ih 3d1.3cw.3d5:3ik 3d1.3cz:3im,xgm 3d1.3cz.3de:3in 3d1.3d2.3cw:3ip
3d1.3d2.3d5:3iq 3d1.3d3.3d5:3ir 3d1.3d3.3de:3is 3d1.3d3.3d7:3it,xgr 3d1.3d5.3d5:3iu 3d1.3eo:3iv 3d1.3db:3iw,xgu
3d1.3fd:3ix 3d2.3cw:3iy,xgv 3d2.3d1:3iz 3d2.3d5:3j1,xgx 3d2.3d5.3d5:3j2 3d2.3eo:3j3 3d2.3da:3j4 3d2.3de:3j5
3d3.3d1:3j7 3d3.3de:3j9,xh0 3eo:3jf 3d7.3cw.3cw:3jh 3d7.3db:3jj 3f0:3jk 3de.3cy:3jp 3de.3d1:3jq 3de.3d2:3jr
3de.3d3:3js 3fd:3jt 3cw.3cy:3ju 3cw.3d3:3jv 3cw.3da:3jw 3cw.3db:3jx 3cw.3de:3jy 12p:3o4 53.3y9:3yk 3y9.53:3yl
53.61r:3ym 61r.53:3yn 53.3yc:3yo 3yc.53:3yp 53.3yd:3yq 3yd.53:3yr 53.3ye:3ys 3ye.53:3yt 53.3yi:3yv 3yi.53:3yw
53.3yj:3yx 3yj.53:3yy 53:3zb,x3j 3y9.3z4:3zf 61r.3z4:3zg 3yd.3z4:3zh 3yi.3z4:3zi 1q:3zn,20jj 53.1q:3zr,400 1o:3zs,4he
53.3a:3zu 3a.53:3zv 53.i4:3zw i4.53:3zx 53.3zm:3zy 3zm.53:3zz 1q.53:401 53.3zo:402 3zo.53:403 53.1o:404 1o.53:405
53.3zt:406 3zt.53:407 53.40g:40k,40t 53.39:40n 39.53:40o 53.32:40p 32.53:40q 53.40f:40r 40f.53:40s 40g.53:40u
53.40h:40v 40h.53:40w 53.40l:40x 40l.53:40y 53.40m:40z 40m.53:410 39.13:413 32.13:414 40g.13:415 40l.13:416 2q.lj:41f
53.417:41g 417.53:41h 53.34:41i 34.53:41j 53.41a:41k 41a.53:41l 53.2s:41m 2s.53:41n 53.41c:41o 41c.53:41p 53.2q:41q
2q.53:41r 53.2q.lj:41s 2q.lj.53:41t 417.13:41x 34.13:41y 2s.13:41z 2q.13:420 53.421:42a 421.53:42b 53.423:42c
423.53:42d 53.424:42e 424.53:42f 53.2y:42g 2y.53:42h 53.426:42i 426.53:42j 53.428:42k 428.53:42l 53.429:42m 429.53:42n
53.42r:430 42r.53:431 53.3d:432 3d.53:433 53.42u:434 42u.53:435 53.42v:436 42v.53:437 53.42w:438 42w.53:439 53.30:43a
30.53:43b 53.42z:43c 42z.53:43d 1e:43j 53.43k:43t 43k.53:43u 53.43r:43v 43r.53:43w 53.43s:43x 43s.53:43y 3z5:441
53.443:44c 443.53:44d 53.445:44e 445.53:44f 53.446:44g 446.53:44h 53.447:44i 447.53:44j 53.448:44k 448.53:44l
53.44a:44m 44a.53:44n 53.44b:44o 44b.53:44p 53.44t:452 44t.53:453 53.44v:454 44v.53:455 53.44w:456 44w.53:457
53.44x:458 44x.53:459 53.44y:45a 44y.53:45b 53.450:45c 450.53:45d 53.451:45e 451.53:45f 45n.1o:45o 45n.40l:45p
45n.2q:45q 45n.428:45r 53.45s:45z 45s.53:460 53.45t:461 45t.53:462 53.45u:463 45u.53:464 53.45v:465 45v.53:466
53.45w:467 45w.53:468 53.45x:469 45x.53:46a 53.45y:46b 45y.53:46c 53.1g:46n 1g.53:46o 53.46g:46p 46g.53:46q 53.46h:46r
46h.53:46s 53.46i:46t 46i.53:46u 53.46j:46v 46j.53:46w 53.46l:46x 46l.53:46y 53.46m:46z 46m.53:470 3zd:474 53.47g:47i
47g.53:47j 53.47u:47v 47u.53:47w 53.487:488 487.53:489 47k.418:48u 47k.34:48v 47k.41a:48w 47k.2s:48x 47k.41c:48y
47k.2q:48z 47k.2q.lj:490 47k.41v:491 49h.422:49a 49h.423:49b 49h.424:49c 49h.2y:49d 49h.426:49e 49h.428:49f
49h.429:49g 6ku:4ad,wke x6j:4af gg:4as,wkv 428:4ci 421:4cj 443:4ck 44a:4cn 477:4de 47a:4df 47e:4dg i2:4dq,4dw
qx:4dr,4dx,8tt,wul,x4n,1f3q 47k.417:4fj 49h.421:4fk 49i.423:4fl 49i.424:4fm 49i.2y:4fn 49i.426:4fo 49i.428:4fp
49i.429:4fq 49z.53:4fr 4a0.53:4fs 4a1.53:4ft 4a2.53:4fu 4a3.53:4fv 4a4.53:4fw 4a5.53:4fx 4hp:4hu 4ho:4ip 4o2:4o3
2t0:4on 2t1:4oo 2t2:4op 2t3:4oq 4s5:4t1 4t8:4uu 53.4vl:4vn 53.4vo:4vq 53.4vs:4vt 53.4w0:4w2 53.43m:4w6 43m.53:4w7
53.43n:4w8 43n.53:4w9 53.43o:4wa 43o.53:4wb 53.43p:4wc 43p.53:4wd 53.477:4we 53.47a:4wf 53.47b:4wg 53.47c:4wh
53.47d:4wi 53.47f:4wj 4xh:4wr 4wv.3z2:4ws 3z2.4wv:4wt 477.53:4ww 47y.53:4wz 486.53:4x0 48b.53:4x1 492.53:4x4
49j.53:4x6 3b.53:4x9 4c4.53:4xc 4d7.53:4xe 526:53k 52p:53l 56t:58g,58w 1cr:59w,6hn 5cd:5ea 5ch:5eb 5d4:5eg mj:5p1
mm:5p4 ml:5p5 lq:5p6 ly:5pp 8o:5qj i5:5ql d9.33:5qs 5qw:5rd u3:5rf 39.2t:5t7 2u.ms:5ta 36.32.ms:5tb 32.ms:5tc
36.ms:5te hq.ms:5tf 37.ms:5tg 38.ms:5th 3e.ms:5ti 34.mt:5tp 39.mt:5tq,xwc i2.mt:5tr gb:5u8 92k:5wu ug:8u5 rb:8v8
53.53.53:8y0 hv:8y1,xu5 ig:8yh 4j3:8yr 5wf:92g o8:92l of:92n o3:92u o4:92v ll:9ik 1b:9ir,9n2,fgf 7sc:9jj,2zfs fjv:9lw
ijp:9m0 gbf:9m3 hlh:9mn ggs:9mw fik:9mz g2z:9n3 9ko:9nc gkj:9nx,h5j app:beb ako:dcr bp7:dgg 2k:fg6 fp1:fsy ftw:fuk
gur:gv3 hgh:hgr h7j:hkb hij:hkv hwv:hz4 ild:ilu bp6:imo jee:jeg bi9:jrd cov:k83 k7u:k89 bmi:kc6 dhf:kdi kfi:kjj
bs3:kx5 kv1:kyv lu0:lzt npw:nrj or9:os6 kcs:peu kcw:pfu kcv:pg0 bp1:ph2 kcz:phd kd4:pif ph8:pj5 kdf:plz q6l:qbj
qif:qip dyu:ra6 ram:rct rk6:rkf rq4:rqb ry7:rye s11:s1m s5z:s63 s8v:s9z slq:sm6 t65:t66 trr:trs v9e:v9f vdd:vde
cop:vk3 4f4:wkt 4bl:wl3 18:wl5 1a.1a:wl6 1a.18:wl7 jt.2q.30:wup 6i1:wvj 33.33:wwp,x1r 4hl:wxc 8s6:wxd,xvk ip:wy5
38.f1:x0p 2p.2p:x0z 2p.33:x11 2p.39:x13 2p.3a:x15,x17 2p.3d:x19 3b.me:x29 38.2u:x2v 12:x2w x0n:x3p 1fei:x3v
ii:x3x,1fe2 3cz.3d2:xgg 3cz.3d3:xgh,16mn 3cz.3d5:xgi,16mo 3cz.3d8:xgj,16mq 3d1.3cw.3cw:xgl,16mt 3d1.3cz.3cz:xgn
3d1.3d3.3d3:xgq 3d1.3d8:xgt 3d2.3cz:xgw 3d3.3d5.3dc:xgy 3d3.3db:xgz 3d5.3d5.3d3:xh1 3d7.3d1:xh2 3d7.3de:xh3
3d8.3d8.3de:xh4 3dc.3dc:xh5 3dd.3de:xh6 3de.3d5:xh7 3fd.3fd:xh8 8qn:xhu xi5:xib xkx:xn7 xlv:xna gk.mw:xtr d9.33.mw:xtt
d9.33.mt:xtu ux:xuo gk.2t:xuq 39.33:xur 33.m3:xv8 g2:xvi 3ft.3fr:16ls 3ft.3ft.ffs:16lt 3fx.3fl:16lu 3fx.3fl.ffs:16lv
3fx.3fp:16lw 3fy.3fr:16lx 3fy.ffs.ffs:16ly 3g2.3fl.ffs:16lz 3g2.3ft:16m0 9oc.3fl:16m1 9oc.3fp:16m2 9oc.3fp.ffs:16m3
9oc.3ft:16m4 ffs.3fn.3ft:16m5 ffs.3fn.ffs:16m6 ffs.3fr:16m7 ffs.3fr.ffs:16m8 ffs.3ft.ffs:16m9 ffs.3fx:16ma
ffs.3g2:16mb ffs.ffs:16mc 3ha.3fl:16md 3ha.3fp.ffs:16me 3cy.3d1:16mj 3cy.3da:16mk 3cz.3cz.3d3:16mm 3cz.3d5.3cw:16mp
3cz.3da:16mr 3cz.3dc:16ms 3d1.3cw.3de:16mu 3d1.3d1.3db:16mv 3d1.3d2.3de:16mw 3d1.3d3.3cz:16mx 3d1.3d3.3dd:16my
3d1.3f0:16mz 3d1.3fd.3de:16n0 3d2.3cy:16n2 3d2.3cy.3cy:16n3 3d2.3d2:16n4 3d2.3d3.3d5:16n5 3d2.3d8:16n6
3d3.3d1.3dd:16n8 3d3.3d2:16n9 3d5.3d3.3d7:16nf 3d5.3d5.3cw:16ng 3d5.3d5.3cz:16nh 3d5.3eo:16ni 3eo.3d3:16nn
3eo.3d3.3d7:16no 3f0.3d2:16np 3f0.3de:16nq 3d8.3d3:16nr 3d8.3d3.3d3:16ns 3dd.3d5:16nu 3dd.3dc:16nv 4ik:1f2s 17:1f2z
rd:1f3h,1f6a 8xs:1f3s 16:1f6n hj:1fen gu:1feq 1fgm:1fhc qj:1fiz wvd:1fjf 1tm:1i2z xdn:1i3g 1ik4.1iki.1ij6:1ij7
1ik4.1iki.1ijc:1ijd 1ik4.1iki.1ijn:1ijo 1ik4.1iki.1ijt:1iju 1ik4.1iki.1ijw:1ijx 1ik4.1iki.1ijy:1ijz 1w8:1imq 1wa:1ims
1wc:1imu 1we:1imw 1wf:1imx 1wh:1imz 1wy:1in1 1wk:1in2 1wl:1in3 1wm:1in4 1wn:1in5 1wo:1in6 1wq:1in7 1wu:1inb 1wv:1inc
1ws:1ind 1wj:1ine 1ww:1inf 1x3:1inh 1x4:1ini 1xa:1ink 1xb:1inl 1xj:1int 1xz:1inx 1xp:1io2 1x9:1io4 3b.lj:1io5 1yf:1ioh
1yg:1ioi 1yk:1iom 1ite:1ivs,1ivt 1itf:1ivu 1itg:1ivv 1iuq:1ivw 1iur:1ivx 1j:1jgm 1f:1jgq,20jf 1jvp.1jvz:1jvq
1jvp.1jw0:1jvr 1jvp.1jvp:1jvs 1jvp.1jvp.1jvz:1jvt 1jvp.1jvp.1jw0:1jvu 1jvv.1jvz:1jvw 1jvv.1jvv:1jvx
1jvv.1jvv.1jvz:1jvy 1jw3.1jvz:1jw4 1jw3.1jw0:1jw5 1jw3.1jw3:1jw6 1jw3.1jw3.1jvz:1jw7 1jw3.1jw3.1jw0:1jw8 1k8a:1k8i
1fa2:1kxk 1ggu:1omx wux:20ik wl2:20iu`;
