# %% [markdown] key="title"
# # Glossary
#
# The sources of this course are French and Spanish, and so are many of the texts that you will meet. The number is
# the chapter that defines the term, where it stands in italics or in bold. “From 5” means that the course uses a
# general term without a definition from chapter 5 on.

# %% [markdown] key="glossary"
# | English | français | español | chapter |
# |---|---|---|---|
# | absolutely continuous | absolument continue | absolutamente continua | [9](ch09_rkhs.ipynb) |
# | accuracy | exactitude, taux de bonne classification | exactitud, tasa de aciertos | from [1](ch01_neighbors.ipynb) |
# | activation | activation | activación | from [7b](ch07b_rbf_networks.ipynb) |
# | at random | au hasard | al azar | from [3](ch03_ridge.ipynb) |
# | basis function | fonction de base | función de base | [7a](ch07a_rbf_interpolation.ipynb) |
# | Bayes rule | règle de Bayes | regla de Bayes | [1](ch01_neighbors.ipynb) |
# | bias | biais | sesgo | from [1](ch01_neighbors.ipynb) |
# | bound support vector | vecteur de support borné | vector soporte acotado | [6](ch06_svm.ipynb) |
# | Brownian bridge | pont brownien | puente browniano | [4](ch04_gp.ipynb) |
# | budget perceptron | perceptron à budget | perceptrón con presupuesto | [6b](ch06b_svr_online.ipynb) |
# | canonical | canonique (échelle) | canónica (escala) | [5](ch05_margin.ipynb) |
# | centre | centre | centro | [7a](ch07a_rbf_interpolation.ipynb) |
# | centring | centrage | centrado | from [8](ch08_kpca.ipynb) |
# | classifier | classifieur | clasificador | from [1](ch01_neighbors.ipynb) |
# | competitive learning | apprentissage par compétition | aprendizaje competitivo | [7b](ch07b_rbf_networks.ipynb) |
# | complementary slackness | conditions de complémentarité | holgura complementaria | [5](ch05_margin.ipynb) |
# | completely monotone | complètement monotone | completamente monótona | [7a](ch07a_rbf_interpolation.ipynb) |
# | condition number | conditionnement | número de condición | [7a](ch07a_rbf_interpolation.ipynb) |
# | constraint | contrainte | restricción | from [5](ch05_margin.ipynb) |
# | convex | convexe | convexo | from [2](ch02_kernels.ipynb) |
# | convex hull | enveloppe convexe | envolvente convexa | [5](ch05_margin.ipynb) |
# | covariance | covariance | covarianza | from [4](ch04_gp.ipynb) |
# | credible interval | intervalle de crédibilité | intervalo de credibilidad | [4](ch04_gp.ipynb) |
# | cross-validation | validation croisée | validación cruzada | [3](ch03_ridge.ipynb) |
# | decision boundary | frontière de décision | frontera de decisión | from [6](ch06_svm.ipynb) |
# | dual | dual | dual | [3](ch03_ridge.ipynb) |
# | duality gap | saut de dualité | brecha de dualidad | [6](ch06_svm.ipynb) |
# | effective degrees of freedom | degrés de liberté effectifs | grados de libertad efectivos | [1](ch01_neighbors.ipynb) |
# | eigenvalue | valeur propre | autovalor, valor propio | from [1](ch01_neighbors.ipynb) |
# | eigenvector | vecteur propre | autovector, vector propio | from [3](ch03_ridge.ipynb) |
# | feature | caractéristique, attribut | característica | [2](ch02_kernels.ipynb) |
# | feature map | fonction de représentation (plongement) | transformación de características | [2](ch02_kernels.ipynb) |
# | feature space | espace de représentation, espace de caractéristiques | espacio de características | [2](ch02_kernels.ipynb) |
# | Fisher's discriminant | discriminant linéaire de Fisher (analyse discriminante linéaire) | discriminante lineal de Fisher (análisis discriminante lineal) | [8](ch08_kpca.ipynb) |
# | free support vector | vecteur de support libre | vector soporte libre | [6](ch06_svm.ipynb) |
# | Gaussian kernel | noyau gaussien | kernel gaussiano | from [2](ch02_kernels.ipynb) |
# | Gaussian noise | bruit gaussien | ruido gaussiano | from [6b](ch06b_svr_online.ipynb) |
# | Gaussian process | processus gaussien | proceso gaussiano | [4](ch04_gp.ipynb) |
# | generalised network | réseau RBF généralisé | red RBF generalizada | [7a](ch07a_rbf_interpolation.ipynb) |
# | general position | position générale | posición general | [7b](ch07b_rbf_networks.ipynb) |
# | gradient descent | descente de gradient | descenso de gradiente | [7b](ch07b_rbf_networks.ipynb) |
# | Gram matrix | matrice de Gram | matriz de Gram | [2](ch02_kernels.ipynb) |
# | Green's function | fonction de Green | función de Green | [7a](ch07a_rbf_interpolation.ipynb) |
# | grouped split | découpage par groupes | partición por grupos | [9](ch09_rkhs.ipynb) |
# | hard margin | marge dure | margen duro | [5](ch05_margin.ipynb) |
# | hidden layer | couche cachée | capa oculta | [7a](ch07a_rbf_interpolation.ipynb) |
# | hinge | perte charnière (hinge) | pérdida bisagra (hinge) | [6](ch06_svm.ipynb) |
# | hyperparameter | hyperparamètre | hiperparámetro | from [4](ch04_gp.ipynb) |
# | hyperplane | hyperplan | hiperplano | [5](ch05_margin.ipynb) |
# | ill-conditioned | mal conditionné | mal condicionado | from [7a](ch07a_rbf_interpolation.ipynb) |
# | inducing points | points inducteurs | puntos inductores | [10](ch10_scaling.ipynb) |
# | influence | influence | influencia | from [1](ch01_neighbors.ipynb) |
# | inner product | produit scalaire | producto escalar, producto interno | [2](ch02_kernels.ipynb) |
# | input | entrée | entrada | from [1](ch01_neighbors.ipynb) |
# | intercept | ordonnée à l’origine | término independiente, intercepto | from [3](ch03_ridge.ipynb) |
# | interpolation | interpolation | interpolación | [7a](ch07a_rbf_interpolation.ipynb) |
# | inverse multiquadric | multiquadrique inverse | multicuádrica inversa | [7a](ch07a_rbf_interpolation.ipynb) |
# | kernel | noyau | núcleo, kernel | [2](ch02_kernels.ipynb) |
# | kernel LDA | analyse discriminante linéaire à noyau | análisis discriminante lineal con kernel | [8](ch08_kpca.ipynb) |
# | kernel PCA | ACP à noyau | ACP con kernel | from [8](ch08_kpca.ipynb) |
# | kernel ridge regression | régression ridge à noyau | regresión ridge con kernel | [3](ch03_ridge.ipynb) |
# | kernel trick | astuce du noyau | truco del kernel | [2](ch02_kernels.ipynb) |
# | KKT conditions | conditions de Karush, Kuhn et Tucker (KKT) | condiciones de Karush, Kuhn y Tucker (KKT) | from [5](ch05_margin.ipynb) |
# | k-means | k-moyennes | k-medias | [7b](ch07b_rbf_networks.ipynb) |
# | $k$-nearest-neighbour regression | régression par les k plus proches voisins | regresión por los k vecinos más próximos | [1](ch01_neighbors.ipynb) |
# | label | étiquette | etiqueta | from [1](ch01_neighbors.ipynb) |
# | Lagrangian | lagrangien | lagrangiano | [5](ch05_margin.ipynb) |
# | landmark | point de repère (landmark) | punto de referencia (landmark) | [10](ch10_scaling.ipynb) |
# | least squares | moindres carrés | mínimos cuadrados | from [1](ch01_neighbors.ipynb) |
# | least-squares support vector machine | machine à vecteurs de support au sens des moindres carrés (LS-SVM) | máquina de vectores soporte de mínimos cuadrados (LS-SVM) | [6b](ch06b_svr_online.ipynb) |
# | leave-one-out | validation croisée par exclusion d’un point (leave-one-out) | validación cruzada dejando uno fuera (leave-one-out) | [1](ch01_neighbors.ipynb) |
# | length scale | échelle de longueur | escala de longitud | [4](ch04_gp.ipynb) |
# | leverage | levier, score de levier | apalancamiento | [10](ch10_scaling.ipynb) |
# | linear kernel | noyau linéaire | kernel lineal | [2](ch02_kernels.ipynb) |
# | linear smoother | lisseur linéaire | suavizador lineal | [1](ch01_neighbors.ipynb) |
# | LMS | moindres carrés moyens (LMS) | mínimos cuadrados medios (LMS) | [7b](ch07b_rbf_networks.ipynb) |
# | location | lieu, emplacement | ubicación | from [7a](ch07a_rbf_interpolation.ipynb) |
# | logistic loss | perte logistique | pérdida logística | [6](ch06_svm.ipynb) |
# | log marginal likelihood | log-vraisemblance marginale | log-verosimilitud marginal | [4](ch04_gp.ipynb) |
# | loss | perte, fonction de perte | pérdida, función de pérdida | from [3](ch03_ridge.ipynb) |
# | margin | marge | margen | [5](ch05_margin.ipynb) |
# | margin violation | violation de la marge | violación del margen | from [6b](ch06b_svr_online.ipynb) |
# | maximum | maximum | máximo | from [2](ch02_kernels.ipynb) |
# | maximum margin | marge maximale (séparateur à vaste marge) | margen máximo | [5](ch05_margin.ipynb) |
# | mean squared error | erreur quadratique moyenne (EQM) | error cuadrático medio (ECM) | from [1](ch01_neighbors.ipynb) |
# | Mercer's theorem | théorème de Mercer | teorema de Mercer | [9](ch09_rkhs.ipynb) |
# | minimum | minimum | mínimo | from [1](ch01_neighbors.ipynb) |
# | multilayer perceptron | perceptron multicouche | perceptrón multicapa | [7b](ch07b_rbf_networks.ipynb) |
# | multiplier | multiplicateur (de Lagrange) | multiplicador (de Lagrange) | [5](ch05_margin.ipynb) |
# | multiquadric | multiquadrique | multicuádrica | [7a](ch07a_rbf_interpolation.ipynb) |
# | Nadaraya–Watson | estimateur de Nadaraya–Watson | estimador de Nadaraya–Watson | [1](ch01_neighbors.ipynb) |
# | nested cross-validation | validation croisée imbriquée | validación cruzada anidada | from [3](ch03_ridge.ipynb) |
# | noise variance | variance du bruit | varianza del ruido | [4](ch04_gp.ipynb) |
# | non-parametric | non paramétrique | no paramétrico | [3](ch03_ridge.ipynb) |
# | norm | norme | norma | from [2](ch02_kernels.ipynb) |
# | normalised network | réseau RBF normalisé | red RBF normalizada | from [7b](ch07b_rbf_networks.ipynb) |
# | novel | nouveau, hors distribution | novedoso, fuera de la distribución | [7b](ch07b_rbf_networks.ipynb) |
# | Nyström's approximation | approximation de Nyström | aproximación de Nyström | [7a](ch07a_rbf_interpolation.ipynb) |
# | online learning | apprentissage en ligne | aprendizaje en línea | from [6](ch06_svm.ipynb) |
# | outlier | valeur aberrante | valor atípico | from [3](ch03_ridge.ipynb) |
# | output layer | couche de sortie | capa de salida | [7b](ch07b_rbf_networks.ipynb) |
# | outside the margin | hors de la marge | fuera del margen | from [5](ch05_margin.ipynb) |
# | overfitting | surapprentissage | sobreajuste | [1](ch01_neighbors.ipynb) |
# | parametric | paramétrique | paramétrico | [3](ch03_ridge.ipynb) |
# | Parzen window | fenêtre de Parzen | ventana de Parzen | [1](ch01_neighbors.ipynb) |
# | penalty | pénalité, terme de pénalisation | penalización | [3](ch03_ridge.ipynb) |
# | perceptron | perceptron | perceptrón | [2](ch02_kernels.ipynb) |
# | positive semi-definite | semi-défini positif (d’un noyau : défini positif) | semidefinido positivo | [2](ch02_kernels.ipynb) |
# | posterior | loi (probabilité) a posteriori | distribución (probabilidad) a posteriori | [4](ch04_gp.ipynb) |
# | predictor | prédicteur | predictor | from [3](ch03_ridge.ipynb) |
# | pre-image | pré-image | preimagen | [8](ch08_kpca.ipynb) |
# | primal | primal | primal | [3](ch03_ridge.ipynb) |
# | principal component analysis | analyse en composantes principales (ACP) | análisis de componentes principales (ACP) | from [8](ch08_kpca.ipynb) |
# | prior | loi (probabilité) a priori | distribución (probabilidad) a priori | [4](ch04_gp.ipynb) |
# | projection | projection | proyección | from [3](ch03_ridge.ipynb) |
# | pseudo-inverse | pseudo-inverse | pseudoinversa | [7b](ch07b_rbf_networks.ipynb) |
# | quadratic program | programme quadratique | programa cuadrático | [5](ch05_margin.ipynb) |
# | query point | point de requête | punto de consulta | from [1](ch01_neighbors.ipynb) |
# | radial basis function | fonction de base radiale | función de base radial | [7a](ch07a_rbf_interpolation.ipynb) |
# | radial basis function network | réseau de fonctions de base radiale (RBF) | red de funciones de base radial (RBF) | [7b](ch07b_rbf_networks.ipynb) |
# | random Fourier features | caractéristiques de Fourier aléatoires | características aleatorias de Fourier | [10](ch10_scaling.ipynb) |
# | RBF unit | unité RBF | unidad RBF | [7b](ch07b_rbf_networks.ipynb) |
# | regret | regret | arrepentimiento (regret) | [6b](ch06b_svr_online.ipynb) |
# | regularisation | régularisation | regularización | from [6](ch06_svm.ipynb) |
# | regularisation network | réseau de régularisation | red de regularización | [7a](ch07a_rbf_interpolation.ipynb) |
# | representer theorem | théorème du représentant | teorema del representante (de representación) | [3](ch03_ridge.ipynb) |
# | reproducing kernel Hilbert space (RKHS) | espace de Hilbert à noyau reproduisant (RKHS) | espacio de Hilbert con núcleo reproductor (RKHS) | [9](ch09_rkhs.ipynb) |
# | residual | résidu | residuo | [3](ch03_ridge.ipynb) |
# | RMSE | racine de l’erreur quadratique moyenne (RMSE) | raíz del error cuadrático medio (RMSE) | from [4](ch04_gp.ipynb) |
# | row normalisation | normalisation par ligne | normalización por filas | [8](ch08_kpca.ipynb) |
# | Schur complement | complément de Schur | complemento de Schur | [4](ch04_gp.ipynb) |
# | score | score (coordonnée sur un axe) | puntuación (coordenada en un eje) | [8](ch08_kpca.ipynb) |
# | section | section | sección | [2](ch02_kernels.ipynb) |
# | sequential minimal optimisation | optimisation séquentielle minimale | optimización secuencial mínima | [6](ch06_svm.ipynb) |
# | sigmoid | sigmoïde | sigmoide | [2](ch02_kernels.ipynb) |
# | signed distance | distance signée | distancia con signo | from [5](ch05_margin.ipynb) |
# | slack | variable d’écart, variable ressort | variable de holgura | [6](ch06_svm.ipynb) |
# | smooth | lisse | suave | from [1](ch01_neighbors.ipynb) |
# | soft margin | marge souple | margen blando, margen suave | [6](ch06_svm.ipynb) |
# | sparse | parcimonieux | disperso | [6](ch06_svm.ipynb) |
# | spectrum kernel | noyau spectral | kernel de espectro | [9](ch09_rkhs.ipynb) |
# | squared hinge | perte charnière au carré | pérdida bisagra al cuadrado | [6](ch06_svm.ipynb) |
# | standard deviation | écart-type | desviación típica, desviación estándar | from [1](ch01_neighbors.ipynb) |
# | standard error | erreur type | error estándar | from [1](ch01_neighbors.ipynb) |
# | standardise | centrer et réduire | estandarizar, tipificar | from [3](ch03_ridge.ipynb) |
# | strictly positive definite | strictement défini positif | estrictamente definido positivo | [2](ch02_kernels.ipynb) |
# | strongly convex | fortement convexe | fuertemente convexa | [6b](ch06b_svr_online.ipynb) |
# | sub-gradient | sous-gradient | subgradiente | [6b](ch06b_svr_online.ipynb) |
# | support vector | vecteur de support, vecteur support | vector soporte, vector de soporte | [5](ch05_margin.ipynb) |
# | support vector machine | machine à vecteurs de support, séparateur à vaste marge (SVM) | máquina de vectores soporte (SVM) | [6](ch06_svm.ipynb) |
# | target | cible | objetivo, variable respuesta | [1](ch01_neighbors.ipynb) |
# | thin plate | plaque mince | placa delgada | [7a](ch07a_rbf_interpolation.ipynb) |
# | tie | égalité, ex æquo | empate | from [1](ch01_neighbors.ipynb) |
# | training set | ensemble d’apprentissage | conjunto de entrenamiento | from [4](ch04_gp.ipynb) |
# | tube | tube (insensible) | tubo (insensible) | [6b](ch06b_svr_online.ipynb) |
# | update | mise à jour | actualización | from [2](ch02_kernels.ipynb) |
# | upper bound | borne supérieure, majorant | cota superior | from [5](ch05_margin.ipynb) |
# | walk | marche, chaîne (d’un graphe) | camino (de un grafo) | [9](ch09_rkhs.ipynb) |
# | weight | poids | peso | [1](ch01_neighbors.ipynb) |
# | Weisfeiler–Lehman | Weisfeiler–Lehman (noyau, test) | Weisfeiler–Lehman (kernel, test) | from [9](ch09_rkhs.ipynb) |
# | width | largeur (de bande) | anchura (ancho de banda) | [1](ch01_neighbors.ipynb) |
# | ε-insensitive loss | perte ε-insensible | pérdida ε-insensible | [6b](ch06b_svr_online.ipynb) |
# | ε-support vector regression | régression à vecteurs de support (ε-SVR) | regresión de vectores soporte (ε-SVR) | [6b](ch06b_svr_online.ipynb) |
# | φ-separable | φ-séparable | φ-separable | [7b](ch07b_rbf_networks.ipynb) |
