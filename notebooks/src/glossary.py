# %% [markdown] key="title"
# # Glossary
#
# The sources of this course are French and Spanish; so are many of the words that you will meet. The number is the chapter that defines
# the term, where it stands in italics or in bold.

# %% [markdown] key="glossary"
# | English | français | español | chapter |
# |---|---|---|---|
# | absolutely continuous | absolument continue | absolutamente continua | [9](ch09_rkhs.ipynb) |
# | Bayes rule | règle de Bayes | regla de Bayes | [1](ch01_neighbors.ipynb) |
# | bound support vector | vecteur de support borné | vector soporte acotado | [6](ch06_svm.ipynb) |
# | Brownian bridge | pont brownien | puente browniano | [4](ch04_gp.ipynb) |
# | budget perceptron | perceptron à budget | perceptrón con presupuesto | [6b](ch06b_svr_online.ipynb) |
# | canonical | canonique (échelle) | canónica (escala) | [5](ch05_margin.ipynb) |
# | competitive learning | apprentissage compétitif | aprendizaje competitivo | [7b](ch07b_rbf_networks.ipynb) |
# | complementary slackness | conditions de complémentarité | holgura complementaria | [5](ch05_margin.ipynb) |
# | condition number | conditionnement | número de condición | [7a](ch07a_rbf_interpolation.ipynb) |
# | convex hull | enveloppe convexe | envolvente convexa | [5](ch05_margin.ipynb) |
# | dual | dual | dual | [3](ch03_ridge.ipynb) |
# | effective degrees of freedom | degrés de liberté effectifs | grados de libertad efectivos | [1](ch01_neighbors.ipynb) |
# | feature map | fonction de représentation (plongement) | transformación de características | [2](ch02_kernels.ipynb) |
# | feature space | espace image, espace de représentation | espacio de características | [2](ch02_kernels.ipynb) |
# | Fisher's discriminant | analyse discriminante linéaire (ALD) | análisis discriminante lineal | [8](ch08_kpca.ipynb) |
# | free support vector | vecteur de support libre | vector soporte libre | [6](ch06_svm.ipynb) |
# | Gaussian process | processus gaussien | proceso gaussiano | [4](ch04_gp.ipynb) |
# | generalised network | réseau RBF généralisé | red RBF generalizada | [7a](ch07a_rbf_interpolation.ipynb) |
# | general position | position générale | posición general | [7b](ch07b_rbf_networks.ipynb) |
# | Gram matrix | matrice de Gram | matriz de Gram | [2](ch02_kernels.ipynb) |
# | Green's function | fonction de Green | función de Green | [7a](ch07a_rbf_interpolation.ipynb) |
# | hidden layer | couche cachée | capa oculta | [7a](ch07a_rbf_interpolation.ipynb) |
# | hinge | perte charnière | pérdida bisagra | [6](ch06_svm.ipynb) |
# | hyperplane | hyperplan | hiperplano | [5](ch05_margin.ipynb) |
# | inducing points | points inducteurs | puntos inductores | [10](ch10_scaling.ipynb) |
# | interpolation | interpolation | interpolación | [7a](ch07a_rbf_interpolation.ipynb) |
# | kernel | noyau | núcleo, kernel | [2](ch02_kernels.ipynb) |
# | kernel LDA | ALD à noyau | análisis discriminante con kernel | [8](ch08_kpca.ipynb) |
# | kernel ridge regression | régression ridge à noyau | regresión ridge con kernel | [3](ch03_ridge.ipynb) |
# | kernel trick | astuce du noyau | truco del kernel | [2](ch02_kernels.ipynb) |
# | k-means | k-moyennes | k-medias | [7b](ch07b_rbf_networks.ipynb) |
# | $k$-nearest-neighbour regression | régression par les k plus proches voisins | regresión por los k vecinos más próximos | [1](ch01_neighbors.ipynb) |
# | landmark | point de repère (landmark) | punto de referencia (landmark) | [10](ch10_scaling.ipynb) |
# | leave-one-out | validation croisée « un contre tous » (leave-one-out) | validación dejando uno fuera | [1](ch01_neighbors.ipynb) |
# | length scale | échelle de longueur | escala de longitud | [4](ch04_gp.ipynb) |
# | leverage | levier | apalancamiento | [10](ch10_scaling.ipynb) |
# | linear kernel | noyau linéaire | kernel lineal | [2](ch02_kernels.ipynb) |
# | linear smoother | lisseur linéaire | suavizador lineal | [1](ch01_neighbors.ipynb) |
# | LMS | moindres carrés moyens (LMS) | mínimos cuadrados medios (LMS) | [7b](ch07b_rbf_networks.ipynb) |
# | log marginal likelihood | log-vraisemblance marginale | log-verosimilitud marginal | [4](ch04_gp.ipynb) |
# | margin | marge | margen | [5](ch05_margin.ipynb) |
# | maximum margin | marge maximale, vaste marge | margen máximo | [5](ch05_margin.ipynb) |
# | Mercer's theorem | théorème de Mercer | teorema de Mercer | [9](ch09_rkhs.ipynb) |
# | multilayer perceptron | perceptron multicouche | perceptrón multicapa | [7b](ch07b_rbf_networks.ipynb) |
# | multiquadric | multiquadrique | multicuádrica | [7a](ch07a_rbf_interpolation.ipynb) |
# | Nadaraya–Watson | estimateur de Nadaraya–Watson | estimador de Nadaraya–Watson | [1](ch01_neighbors.ipynb) |
# | non-parametric | non paramétrique | no paramétrico | [3](ch03_ridge.ipynb) |
# | Nyström's approximation | approximation de Nyström | aproximación de Nyström | [7a](ch07a_rbf_interpolation.ipynb) |
# | output layer | couche de sortie | capa de salida | [7b](ch07b_rbf_networks.ipynb) |
# | overfitting | surapprentissage | sobreajuste | [1](ch01_neighbors.ipynb) |
# | parametric | paramétrique | paramétrico | [3](ch03_ridge.ipynb) |
# | Parzen window | fenêtre de Parzen | ventana de Parzen | [1](ch01_neighbors.ipynb) |
# | perceptron | perceptron | perceptrón | [2](ch02_kernels.ipynb) |
# | positive semi-definite | semi-défini positif (d’un noyau : défini positif) | semidefinido positivo | [2](ch02_kernels.ipynb) |
# | posterior | probabilité a posteriori | probabilidad a posteriori | [4](ch04_gp.ipynb) |
# | pre-image | pré-image | preimagen | [8](ch08_kpca.ipynb) |
# | principal component analysis | analyse en composantes principales (ACP) | análisis de componentes principales (ACP) | [8](ch08_kpca.ipynb) |
# | pseudo-inverse | pseudo-inverse | pseudoinversa | [7b](ch07b_rbf_networks.ipynb) |
# | quadratic program | programme quadratique | programa cuadrático | [5](ch05_margin.ipynb) |
# | radial basis function | fonction à base radiale | función de base radial | [7a](ch07a_rbf_interpolation.ipynb) |
# | radial basis function network | réseau à fonctions de base radiale (RBF) | red de funciones de base radial (RBF) | [7b](ch07b_rbf_networks.ipynb) |
# | random Fourier features | caractéristiques de Fourier aléatoires | características de Fourier aleatorias | [10](ch10_scaling.ipynb) |
# | regularisation network | réseau de régularisation | red de regularización | [7a](ch07a_rbf_interpolation.ipynb) |
# | representer theorem | théorème du représentant | teorema del representante | [3](ch03_ridge.ipynb) |
# | reproducing kernel Hilbert space (RKHS) | espace de Hilbert à noyau reproduisant (RKHS) | espacio de Hilbert con núcleo reproductor (RKHS) | [9](ch09_rkhs.ipynb) |
# | Schur complement | complément de Schur | complemento de Schur | [4](ch04_gp.ipynb) |
# | score | score (coordonnée sur un axe) | puntuación (coordenada en un eje) | [8](ch08_kpca.ipynb) |
# | section | section | sección | [2](ch02_kernels.ipynb) |
# | sequential minimal optimisation | optimisation séquentielle minimale | optimización secuencial mínima | [6](ch06_svm.ipynb) |
# | slack | variable d’écart (ressort) | variable de holgura | [6](ch06_svm.ipynb) |
# | soft margin | marge souple | margen blando | [6](ch06_svm.ipynb) |
# | sparse | parcimonieux | disperso | [6](ch06_svm.ipynb) |
# | spectrum kernel | noyau spectral | kernel de espectro | [9](ch09_rkhs.ipynb) |
# | sub-gradient | sous-gradient | subgradiente | [6b](ch06b_svr_online.ipynb) |
# | support vector | vecteur de support | vector soporte | [5](ch05_margin.ipynb) |
# | support vector machine | machine à vecteurs de support, séparateur à vaste marge (SVM) | máquina de vectores soporte (SVM) | [6](ch06_svm.ipynb) |
# | thin plate | plaque mince | placa delgada | [7a](ch07a_rbf_interpolation.ipynb) |
# | tube | tube (insensible) | tubo (insensible) | [6b](ch06b_svr_online.ipynb) |
# | walk | marche | caminata | [9](ch09_rkhs.ipynb) |
# | width | largeur (de bande) | anchura (de banda) | [1](ch01_neighbors.ipynb) |
# | ε-support vector regression | régression à vecteurs de support (ε-SVR) | regresión de vectores soporte (ε-SVR) | [6b](ch06b_svr_online.ipynb) |
# | φ-separable | φ-séparable | φ-separable | [7b](ch07b_rbf_networks.ipynb) |
